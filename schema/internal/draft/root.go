package draft

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A Root is a schema with a name: a shared type, one of a payload's $defs, or the payload itself.
type Root struct {
	Type  *schema.Type // nil for a payload
	Scope *Scope
	Draft *Draft
	Refs  []*Ref // all $refs in it
	// Doubt is Inside when something in it was reported. Later stages add to it.
	Doubt trust.Doubt
	// Schema is what package merge makes of it.
	Schema *schema.Schema
}

// A Scope is where the $refs of a root start.
type Scope struct {
	File  string      // the file's path in the catalog's folder
	Owner *schema.URN // of a payload and its $defs; else nil
	Defs  *Section    // the $defs of a payload; else nil
}

// A Section holds named schemas: the types or $defs of a file, or the $defs of a payload.
type Section struct {
	Defs  bool         // it is $defs, else types
	Node  *source.Node // nil when the section is not there
	Doubt trust.Doubt  // Partial when not all of it could be read
	Roots map[string]*Root
}

// NewSection returns the section that stands in a node, which may be nil.
func NewSection(defs bool, n *source.Node) *Section {
	s := &Section{Defs: defs, Node: n, Roots: map[string]*Root{}}
	if n != nil {
		s.Doubt = n.Doubt
	}
	return s
}

// Declares reports whether the section has a schema with this name.
func (s *Section) Declares(name string) bool {
	return s.Roots[name] != nil || s.Node != nil && s.Node.Get(name) != nil
}

// Names are the names of all schemas in the section.
func (s *Section) Names() []string {
	if s.Node == nil {
		return nil
	}
	return near.Names(s.Node.Pairs, func(p source.Pair) string { return p.Key.Text })
}

// NamedType reads a schema of a section. Whoever calls it adds a shared type to the catalog.
func (r *Reader) NamedType(s *Section, p source.Pair, in *Scope) *Root {
	t := &schema.Type{Name: p.Key.Text, Pos: p.Key.Pos, Owner: in.Owner}
	r.NotBlank(t.Pos, t.Name, "the name of a type")
	root := &Root{Type: t, Scope: in}
	s.Roots[t.Name] = root // before it is read: it may refer to itself
	if in.Owner != nil {
		in.Owner.Defs = append(in.Owner.Defs, t)
	}
	r.read(root, p.Value, "type "+text.Quote(t.Name), AtNamedType)
	return root
}

// File reads a file that is a schema as a whole. The name is that of its type.
func (r *Reader) File(name string, n *source.Node, in *Scope) *Root {
	root := &Root{Type: &schema.Type{Name: name, Pos: n.Pos}, Scope: in}
	r.read(root, n, "the schema "+text.Quote(name), AtFile)
	return root
}

// Payload reads the data of a URN, and its $defs.
func (r *Reader) Payload(n *source.Node, in *Scope) *Root {
	root := &Root{Scope: in}
	r.read(root, n, "data of "+text.Quote(in.Owner.URN), AtData)
	return root
}

func (r *Reader) read(root *Root, n *source.Node, what string, at Site) {
	r.Roots = append(r.Roots, root)
	before := r.Errors()
	root.Draft = r.draft(n, root, what, at)
	if r.Errors() > before || n.IsPartial() {
		root.Doubt |= trust.Inside
	}
}
