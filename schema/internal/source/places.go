package source

import "github.com/babelqueue/bqgen/schema"

// Places finds keys, and ends of keys and scalars, in the files that a Reader read. It implements [schema.Places].
//
// The index is made at the first look-up. No file can be read after that.
type Places struct {
	roots    []*Node
	texts    map[string]*lines // by file
	dropped  []*Node           // keys that are in no mapping since they were reported
	mappings map[schema.Pos]*Node
	values   map[schema.Pos]*Node // by where their key stands
	scalars  map[schema.Pos]*Node
	known    map[schema.Pos]schema.Pos // ends that were looked up
}

func newPlaces() *Places {
	return &Places{texts: map[string]*lines{}, known: map[schema.Pos]schema.Pos{}}
}

// add adds a file that was read.
func (p *Places) add(root *Node, src []byte) {
	p.roots = append(p.roots, root)
	p.texts[root.Pos.File] = &lines{src: src}
}

// drop adds a key that is in no mapping.
func (p *Places) drop(key *Node) { p.dropped = append(p.dropped, key) }

func (p *Places) index() {
	if p.mappings != nil {
		return
	}
	p.mappings, p.values = map[schema.Pos]*Node{}, map[schema.Pos]*Node{}
	p.scalars = map[schema.Pos]*Node{}
	p.walk(func(n *Node) {
		switch n.Kind {
		case Mapping:
			p.mappings[n.Pos] = n
			for _, pair := range n.Pairs {
				p.values[pair.Key.Pos] = pair.Value
			}
		case Scalar:
			p.scalars[n.Pos] = n
		}
	})
}

// walk visits all nodes. It visits what an anchor holds once for every alias, which the Reader bounds.
func (p *Places) walk(visit func(*Node)) {
	var walk func(n *Node)
	walk = func(n *Node) {
		visit(n)
		for _, item := range n.Items {
			walk(item)
		}
		for _, pair := range n.Pairs {
			visit(pair.Key)
			walk(pair.Value)
		}
	}
	for _, root := range p.roots {
		walk(root)
	}
	for _, key := range p.dropped {
		visit(key)
	}
}

// KeyIn implements [schema.Places].
func (p *Places) KeyIn(mapping schema.Pos, key string) (schema.Pos, bool) {
	p.index()
	return keyOf(p.mappings[mapping], key)
}

// KeyUnder implements [schema.Places].
func (p *Places) KeyUnder(parent schema.Pos, key string) (schema.Pos, bool) {
	p.index()
	return keyOf(p.values[parent], key)
}

// Key implements [schema.Places].
func (p *Places) Key(key string) (schema.Pos, bool) {
	if len(p.roots) == 0 {
		return schema.Pos{}, false
	}
	return p.roots[0].KeyPos(key)
}

func keyOf(n *Node, key string) (schema.Pos, bool) {
	if n == nil {
		return schema.Pos{}, false
	}
	return n.KeyPos(key)
}

// End implements [schema.Places].
func (p *Places) End(start schema.Pos) schema.Pos {
	p.index()
	return p.endOf(p.scalars[start])
}

// ends sets the ends of the places that are the keys of the map. It makes no index.
func (p *Places) ends(of map[schema.Pos]schema.Pos) {
	p.walk(func(n *Node) {
		if n.Kind == Scalar {
			if _, wanted := of[n.Pos]; wanted {
				of[n.Pos] = p.endOf(n)
			}
		}
	})
}

func (p *Places) endOf(n *Node) schema.Pos {
	if n == nil || p.texts[n.Pos.File] == nil {
		return schema.Pos{}
	}
	end, met := p.known[n.Pos]
	if !met {
		end = p.texts[n.Pos.File].endOf(n)
		p.known[n.Pos] = end
	}
	return end
}
