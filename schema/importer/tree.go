package importer

import (
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A yamlNode is a value of the catalog's text.
type yamlNode struct {
	scalar string // text of a scalar, or of a value in brackets, as it is written
	pairs  []yamlPair
	items  []yamlItem
	owner  owner
}

type yamlPair struct {
	key      string
	value    *yamlNode
	comments []string
	owner    owner
}

type yamlItem struct {
	value    *yamlNode
	comments []string
	owner    owner
}

// An owner is what a line of the text is about.
type owner struct {
	shape   *shape
	keyword string // of the shape; empty for the whole of it
	parent  *shape // around the shape
	message *message
	example *source.Node // of the message
	typ     *typ
	queue   *queue
}

// pos returns where the source has it; the zero Pos when that is not known.
func (o owner) pos() schema.Pos {
	switch {
	case o.example != nil:
		return o.example.Pos
	case o.shape != nil:
		if m := o.shape.get(o.keyword); m != nil {
			return m.pos
		}
		return o.shape.src.Pos
	case o.typ != nil:
		return o.typ.pos
	case o.message != nil:
		return o.message.pos
	case o.queue != nil:
		return o.queue.pos
	}
	return schema.Pos{}
}

func (n *yamlNode) add(key string, value *yamlNode, o owner, comments ...string) {
	n.pairs = append(n.pairs, yamlPair{key, value, comments, o})
}

// addText adds a text, unless it is empty.
func (n *yamlNode) addText(key, value string, o owner) {
	if value != "" {
		n.add(key, textValue(value), o)
	}
}

func textValue(s string) *yamlNode { return &yamlNode{scalar: quoted(s)} }

// tree returns the catalog as YAML.
func (c *catalog) tree() *yamlNode {
	top := &yamlNode{}
	top.add("bqgen", &yamlNode{scalar: "1"}, owner{})
	top.addText("package", c.pkg, owner{})
	info := &yamlNode{}
	info.addText("title", c.title, owner{})
	info.addText("owner", c.owner, owner{})
	info.addText("description", c.description, owner{})
	if len(info.pairs) > 0 {
		top.add("info", info, owner{})
	}
	queues := &yamlNode{}
	for _, q := range c.queues {
		o := owner{queue: q}
		node := &yamlNode{owner: o}
		node.addText("description", q.description, o)
		node.addText("topic", q.topic, o)
		queues.add(q.name, node, o)
	}
	top.add("queues", queues, owner{})
	if len(c.types) > 0 {
		types := &yamlNode{}
		for _, t := range c.types {
			types.add(t.name, shapeTree(t.shape, nil), owner{typ: t, shape: t.shape}, t.shape.comments...)
		}
		top.add("types", types, owner{})
	}
	urns := &yamlNode{}
	for _, m := range c.messages {
		urns.add(m.urn, messageTree(m), owner{message: m})
	}
	top.add("urns", urns, owner{})
	return top
}

func messageTree(m *message) *yamlNode {
	o := owner{message: m}
	n := &yamlNode{owner: o}
	n.addText("queue", m.queue.name, o)
	n.addText("name", m.goName, o)
	n.addText("summary", m.summary, o)
	n.addText("description", m.description, o)
	for _, list := range []struct {
		key   string
		names []string
	}{{"publishers", m.publishers}, {"consumers", m.consumers}} {
		if len(list.names) > 0 {
			node := &yamlNode{owner: o}
			for _, name := range list.names {
				node.items = append(node.items, yamlItem{value: textValue(name), owner: o})
			}
			n.add(list.key, node, o)
		}
	}
	n.add("data", shapeTree(m.data, nil), owner{message: m, shape: m.data}, m.data.comments...)
	if len(m.examples) > 0 {
		node := &yamlNode{owner: o}
		for _, e := range m.examples {
			node.items = append(node.items, yamlItem{value: flow(e), owner: owner{message: m, example: e}})
		}
		n.add("examples", node, o)
	}
	return n
}

func shapeTree(s, parent *shape) *yamlNode {
	n := &yamlNode{owner: owner{shape: s, parent: parent}}
	if s.never {
		n.scalar = "false"
	}
	for i := range s.members {
		m := &s.members[i]
		o := owner{shape: s, keyword: m.key, parent: parent}
		switch {
		case m.ref != nil:
			n.add(m.key, textValue("#/types/"+pointer.Escape(m.ref.name)), o)
		case m.inner != nil:
			n.add(m.key, shapeTree(m.inner, s), o, m.inner.comments...)
		case m.node != nil:
			n.add(m.key, flow(m.node), o)
		default:
			n.add(m.key, listTree(s, m, o), o)
		}
	}
	return n
}

func listTree(s *shape, m *member, o owner) *yamlNode {
	n := &yamlNode{owner: o}
	for _, inner := range m.list {
		at := owner{shape: inner, parent: s}
		n.items = append(n.items, yamlItem{shapeTree(inner, s), inner.comments, at})
	}
	for _, p := range m.named {
		n.add(p.name, shapeTree(p.shape, s), owner{shape: p.shape, parent: s}, p.shape.comments...)
	}
	if len(m.list)+len(m.named) == 0 {
		n.scalar = "{}"
	}
	return n
}

// flow returns a value of the source on one line.
func flow(n *source.Node) *yamlNode {
	var b strings.Builder
	writeFlow(&b, n)
	return &yamlNode{scalar: b.String()}
}

func writeFlow(b *strings.Builder, n *source.Node) {
	switch n.Kind {
	case source.Sequence:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			writeFlow(b, item)
		}
		b.WriteByte(']')
	case source.Mapping:
		b.WriteByte('{')
		for i, p := range n.Pairs {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quoted(p.Key.Text) + ": ")
			writeFlow(b, p.Value)
		}
		b.WriteByte('}')
	case source.Scalar:
		b.WriteString(scalar(n))
	default:
		b.WriteString("null")
	}
}

func scalar(n *source.Node) string {
	if n.Plain {
		switch source.ClassifyPlain(n.Text) {
		case source.PlainNull:
			return "null"
		case source.PlainBool, source.PlainNumber:
			return n.Text
		}
	}
	return quoted(n.Text)
}

// quoted writes text so that every YAML reader takes it for this text, even in brackets and as a key.
func quoted(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x10000 && (!strconv.IsPrint(r) || r == 0xfffd):
			b.WriteString(`\u` + hex(r, 4))
		case !strconv.IsPrint(r):
			b.WriteString(`\U` + hex(r, 8))
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

func hex(r rune, digits int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", digits-len(s)) + s
}

// isPlain reports text that needs no quotes anywhere.
func isPlain(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		switch {
		case letter, i > 0 && (r >= '0' && r <= '9' || r == '_' || r == '.' || r == '/'):
		case r == '_', r == '$' && i == 0, i > 0 && r == '-':
		case i > 0 && i < len(s)-1 && (r == ' ' || r == ':' && s[i+1] != ' ' && s[i+1] != ':'):
		default:
			return false
		}
	}
	return s != "" && source.ClassifyPlain(s) == source.PlainString
}

// A printer writes the catalog's text. As a probe it writes JSON with one line for every keyword and notes whose it is;
// else it writes YAML in blocks, with comments.
type printer struct {
	strings.Builder
	line   int // that is being written, from 1
	owners map[int]owner
}

func (p *printer) end(o owner) {
	p.owners[p.line] = o
	p.WriteByte('\n')
	p.line++
}

// probe writes a value that starts on a line of its own.
func (p *printer) probe(n *yamlNode) {
	switch {
	case len(n.pairs) > 0:
		p.WriteByte('{')
		p.end(n.owner)
		for _, pair := range n.pairs {
			p.WriteString(quoted(pair.key) + ":")
			p.probeValue(pair.value, pair.owner)
		}
		p.WriteByte('}')
	case len(n.items) > 0:
		p.WriteByte('[')
		p.end(n.owner)
		for _, item := range n.items {
			p.probeValue(item.value, item.owner)
		}
		p.WriteByte(']')
	}
}

// probeValue writes a value behind a key or in a list.
func (p *printer) probeValue(n *yamlNode, o owner) {
	if len(n.pairs)+len(n.items) == 0 {
		p.WriteString(" " + n.inline() + ",")
		p.end(o)
		return
	}
	p.end(o)
	p.probe(n)
	p.WriteByte(',')
	p.end(n.owner)
}

// inline is the text of a value that takes no lines of its own.
func (n *yamlNode) inline() string {
	if n.scalar == "" {
		return "{}"
	}
	return n.scalar
}

// block writes the pairs or items of a value.
func (p *printer) block(n *yamlNode, indent string) {
	for _, pair := range n.pairs {
		p.comments(pair.comments, indent)
		p.WriteString(indent + quoted(pair.key) + ":")
		p.blockValue(pair.value, indent)
	}
	for _, item := range n.items {
		p.comments(item.comments, indent)
		p.WriteString(indent + "-")
		if pairs := item.value.pairs; len(pairs) > 0 && len(pairs[0].comments) == 0 {
			var inner printer
			inner.block(item.value, indent+"  ")
			p.WriteString(" " + strings.TrimLeft(inner.String(), " ")) // the first pair stands behind the dash
			continue
		}
		p.blockValue(item.value, indent)
	}
}

func (p *printer) blockValue(n *yamlNode, indent string) {
	if len(n.pairs)+len(n.items) == 0 {
		p.WriteString(" " + n.inline() + "\n")
		return
	}
	p.WriteByte('\n')
	p.block(n, indent+"  ")
}

func (p *printer) comments(comments []string, indent string) {
	for _, c := range comments {
		p.WriteString(indent + "# " + c + "\n")
	}
}

// harmless returns text that a comment can contain.
func harmless(s string) string {
	return strings.ReplaceAll(text.OneLine(s), "bqgen:", "bqgen :")
}
