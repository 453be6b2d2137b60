package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A group is everything that holds for one value.
type group struct {
	what    string
	top     []*draft.Draft // that the group is made of
	at      schema.Pos     // of contradictions between parts
	entries []part         // in the order of their properties
	parts   []part         // the entries that are no reference
	refs    []part         // the others
	seen    map[*draft.Draft]bool
	doubt   trust.Doubt  // that of all entries, and what was reported about the group
	null    *draft.Draft // the entry of a oneOf that allows null
}

// A part is a draft in a group.
type part struct {
	*draft.Draft
	level level
}

// A level is how far a part is from the schema that it is a part of.
type level int

const (
	own     level = iota // it is that schema
	inAllOf              // it is an entry of its allOf
	written              // it belongs to a type that was written out for it
)

// gather adds a draft and the entries of its allOf, in the order of their properties.
func (g *group) gather(d *draft.Draft, at level) {
	if d.AllOf == nil && len(g.entries) == 0 {
		g.add(d, at) // the usual case
		return
	}
	if g.seen == nil {
		g.seen = map[*draft.Draft]bool{}
		for _, e := range g.entries {
			g.seen[e.Draft] = true
		}
	}
	if g.seen[d] {
		return
	}
	g.seen[d] = true
	inner := max(at, inAllOf)
	before := d.AllOf != nil && d.Precedes("allOf", "properties")
	if !before {
		g.add(d, at)
	}
	for _, entry := range d.AllOf {
		g.gather(entry, inner)
	}
	if before {
		g.add(d, at)
	}
}

func (g *group) add(d *draft.Draft, at level) {
	g.doubt |= d.Doubt &^ trust.Inside // what is further inside is doubted there
	g.entries = append(g.entries, part{d, at})
}

// split sorts entries into parts and references.
func (g *group) split() {
	g.parts, g.refs = nil, nil
	for _, e := range g.entries {
		if e.Ref != nil {
			g.refs = append(g.refs, e)
		} else {
			g.parts = append(g.parts, e)
		}
	}
}

// soleTarget returns the root that the group refers to, when the group is nothing but that reference.
func (g *group) soleTarget() (*draft.Root, bool) {
	to := g.refs[0].Ref.To
	for _, r := range g.refs {
		if r.Ref.To != to {
			return nil, false
		}
	}
	for _, p := range g.parts {
		if p.Constrains("allOf", "oneOf", "anyOf") || (p.OneOf != nil || p.AnyOf != nil) && g.null == nil {
			return nil, false
		}
	}
	return to, true
}

// isTopOf reports whether the group is the top of a root.
func (g *group) isTopOf(r *draft.Root) bool {
	isTop := func(p part) bool { return p.Draft == r.Draft && p.level == own }
	return slices.ContainsFunc(g.parts, isTop) || slices.ContainsFunc(g.refs, isTop)
}
