package schema

import "sync"

// places finds keys in the files that a catalog was read from.
type places struct {
	roots []*node
	index func() *placeIndex
}

type placeIndex struct {
	mappings map[Pos]*node // by where they start
	values   map[Pos]*node // by where their key stands
}

// add takes in a file that was read. It is not to be called after the first look-up.
func (p *places) add(root *node) { p.roots = append(p.roots, root) }

func newPlaces() *places {
	p := &places{}
	p.index = sync.OnceValue(func() *placeIndex {
		x := &placeIndex{mappings: map[Pos]*node{}, values: map[Pos]*node{}}
		seen := map[*node]bool{}
		for _, root := range p.roots {
			x.walk(root, seen)
		}
		return x
	})
	return p
}

func (x *placeIndex) walk(n *node, seen map[*node]bool) {
	if seen[n] {
		return
	}
	seen[n] = true
	for _, item := range n.items {
		x.walk(item, seen)
	}
	if n.kind == mappingNode {
		x.mappings[n.pos] = n
	}
	for _, p := range n.pairs {
		x.values[p.key.pos] = p.value
		x.walk(p.value, seen)
	}
}

// KeyIn is where a key of the mapping at a place stands: of a schema's keyword, when it is given the schema's
// place. Where there is no such key, it is the place given.
func (c *Catalog) KeyIn(mapping Pos, key string) Pos {
	if c.places == nil {
		return mapping
	}
	return c.places.index().mappings[mapping].keyPos(key, mapping)
}

// FindKeyIn is [Catalog.KeyIn], and tells whether there is such a key.
func (c *Catalog) FindKeyIn(mapping Pos, key string) (Pos, bool) {
	if c.places == nil {
		return mapping, false
	}
	return c.places.index().mappings[mapping].findKey(key, mapping)
}

// KeyUnder is where a key of the mapping under the key at a place stands: of a queue's topic, when it is given the
// queue's place. Where there is no such key, it is the place given.
func (c *Catalog) KeyUnder(parent Pos, key string) Pos {
	if c.places == nil {
		return parent
	}
	return c.places.index().values[parent].keyPos(key, parent)
}

func (n *node) keyPos(key string, otherwise Pos) Pos {
	pos, _ := n.findKey(key, otherwise)
	return pos
}

func (n *node) findKey(key string, otherwise Pos) (Pos, bool) {
	if n != nil {
		for _, p := range n.pairs {
			if p.key.text == key {
				return p.key.pos, true
			}
		}
	}
	return otherwise, false
}

// Key is where a top-level key of the catalog stands. Where there is no such key, it is the place of its package.
func (c *Catalog) Key(key string) Pos {
	if c.places == nil || len(c.places.roots) == 0 {
		return c.Pkg
	}
	return c.places.roots[0].keyPos(key, c.Pkg)
}
