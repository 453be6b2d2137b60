package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A builder makes the schemas of a root of what is written there. All of a group of drafts hold for one value: a
// schema, the entries of its allOf, and the types that those refer to. They become one Schema, and it does not matter
// in which order they stand.
type builder struct {
	*loader
	root      *root
	depth     int             // of schemas inside of each other
	expanding int             // how many of them write out types
	path      map[string]bool // merges that are under way, by their drafts
}

// buildRoot builds a root once. What it takes from other roots is built before.
func (l *loader) buildRoot(r *root) {
	if r.state != unbuilt {
		return
	}
	r.state = building
	b := &builder{loader: l, root: r, path: map[string]bool{}}
	r.schema = b.build([]*draft{r.draft}, Pos{})
	if r.typ != nil {
		r.typ.Schema = r.schema
	}
	r.state = built
}

type buildState int

const (
	unbuilt buildState = iota
	building
	built
)

// report marks the root, so that nothing is concluded from it.
func (b *builder) report(pos Pos, rule, hint, format string, args ...any) {
	b.root.bad = true
	b.loader.report(pos, rule, hint, format, args...)
}

// A level says how far a part is from the schema that it is a part of.
type level int

const (
	own     level = iota // it is that schema
	inAllOf              // it is an entry of its allOf
	written              // it belongs to a type that was written out for it
)

type part struct {
	*draft
	level level
}

// A group is all that holds for one value.
type group struct {
	what    string
	at      Pos    // of contradictions between parts
	entries []part // in the order in which their properties come
	parts   []part // the entries that are no reference
	refs    []part // the others
	seen    map[*draft]bool
	// quiet: something in a part was reported, so what does not fit may follow from that.
	quiet bool
	// vague: not all of it could be read.
	vague bool
	null  *draft // the entry of a oneOf that allows null
}

// conflict reports that parts contradict each other.
func (b *builder) conflict(g *group, hint, format string, args ...any) {
	b.root.bad = true
	if !g.quiet {
		b.loader.report(g.at, ruleContradiction, hint, "%s contradicts itself: %s", g.what, fmt.Sprintf(format, args...))
		g.quiet = true // the first is enough
	}
}

// contradiction reports that keywords contradict each other: at the one that is named, when one part has both.
func (b *builder) contradiction(g *group, keyword, other, format string, args ...any) {
	b.root.bad = true
	if g.quiet {
		return
	}
	pos := g.at
	if len(g.parts) == 1 {
		d := g.parts[0].draft
		if pos = d.keyPos(keyword); d.node.get(keyword) == nil {
			pos = d.keyPos(other)
		}
	}
	b.loader.report(pos, ruleContradiction, "no value would be valid", format, args...)
	g.quiet = true
}

// inside builds what stands inside of a group: a property, an item.
func (b *builder) inside(g *group, drafts ...*draft) *Schema {
	return b.build(drafts, g.at)
}

// build makes one schema of drafts. Contradictions between them are reported at the allOf that brings them together.
func (b *builder) build(drafts []*draft, at Pos) *Schema {
	first := drafts[0]
	s := &Schema{Pos: first.Pos}
	g := &group{what: first.what, at: at}
	if len(drafts) == 1 && first.allOf != nil {
		g.at = first.keyPos("allOf")
	}
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > maxDepth {
		b.tooMuch(g, ruleTooDeep, "%s nests more than %d levels deep", g.what, maxDepth)
		b.unsure[s] = true
		return s
	}
	if b.isAgain(drafts) {
		if b.merged++; b.merged > maxMerged {
			b.tooMuch(g, ruleTooLarge, "allOf stands for more than %d schemas", maxMerged)
			b.unsure[s] = true
			return s
		}
	}
	if len(drafts) > 1 || first.allOf != nil || b.expanding > 0 {
		key := keyOf(drafts)
		if b.path[key] {
			b.conflict(g, "refer to a named type in place of merging it", "its allOf contains itself")
			b.unsure[s] = true
			return s
		}
		b.path[key] = true
		defer delete(b.path, key)
	}
	for _, d := range drafts {
		g.gather(d, own)
	}
	g.split()
	expanding, errors := b.expanding, b.errors
	b.fill(s, g)
	b.expanding = expanding
	if g.vague {
		b.vague[s] = true
	}
	if g.vague || g.quiet {
		b.root.bad = true
	}
	if g.vague || g.quiet || b.errors > errors || slices.ContainsFunc(drafts, func(d *draft) bool { return d.unsound }) {
		b.unsure[s] = true
	}
	return s
}

// isAgain tells whether one of the drafts is built once more, as the inside of a type that is written out.
func (b *builder) isAgain(drafts []*draft) bool {
	again := false
	for _, d := range drafts {
		again = again || d.built
		d.built = true
	}
	return again
}

// tooMuch reports a limit, once for a catalog.
func (b *builder) tooMuch(g *group, rule, format string, args ...any) {
	b.root.bad = true
	if !b.stopped {
		b.stopped = true
		b.loader.report(g.at, rule, "refer to named types in place of merging them", format, args...)
	}
}

// maxMerged is how many schemas all allOf of a catalog may stand for.
const maxMerged = 100_000

func keyOf(drafts []*draft) string {
	var key strings.Builder
	for _, d := range drafts {
		key.WriteString(strconv.FormatUint(uint64(d.id), 36))
		key.WriteByte(' ')
	}
	return key.String()
}

// gather adds a draft and the entries of its allOf, in the order in which their properties are to come.
func (g *group) gather(d *draft, at level) {
	if d.allOf == nil && len(g.entries) == 0 {
		g.add(d, at) // as most are
		return
	}
	if g.seen == nil {
		g.seen = map[*draft]bool{}
		for _, e := range g.entries {
			g.seen[e.draft] = true
		}
	}
	if g.seen[d] {
		return
	}
	g.seen[d] = true
	inner := max(at, inAllOf)
	before := d.allOf != nil && d.precedes("allOf", "properties")
	if !before {
		g.add(d, at)
	}
	for _, entry := range d.allOf {
		g.gather(entry, inner)
	}
	if before {
		g.add(d, at)
	}
}

func (g *group) add(d *draft, at level) {
	g.quiet = g.quiet || d.bad
	g.vague = g.vague || d.vague
	g.entries = append(g.entries, part{d, at})
}

// split sorts entries into parts and references.
func (g *group) split() {
	g.parts, g.refs = nil, nil
	for _, e := range g.entries {
		if e.ref != nil {
			g.refs = append(g.refs, e)
		} else {
			g.parts = append(g.parts, e)
		}
	}
}

// precedes tells whether one keyword stands before another.
func (d *draft) precedes(keyword, other string) bool {
	for _, p := range d.node.pairs {
		switch p.key.text {
		case keyword:
			return true
		case other:
			return false
		}
	}
	return false
}

// fill decides what kind of schema a group is, and makes it.
func (b *builder) fill(s *Schema, g *group) {
	b.allowNull(g)
	if len(g.refs) > 0 {
		if target, alone := g.soleTarget(); alone {
			s.Kind, s.Nullable = Ref, g.null != nil
			if target != nil {
				s.Target = target.typ
			}
			b.annotate(s, g)
			b.checkNull(s, g)
			return
		}
		if !b.writeOut(g) {
			g.vague = true
			b.lookInto(s, g)
			return
		}
	}
	if u := g.union(); u != nil {
		b.union(s, g, u)
		b.annotate(s, g)
		return
	}
	b.merge(s, g)
	b.annotate(s, g)
	b.checkNull(s, g)
}

// soleTarget is the type that the group refers to, when it asks for nothing else.
func (g *group) soleTarget() (*root, bool) {
	to := g.refs[0].ref.to
	for _, r := range g.refs {
		if r.ref.to != to {
			return nil, false
		}
	}
	for _, p := range g.parts {
		if p.constrains("allOf", "oneOf") || p.oneOf != nil && g.null == nil {
			return nil, false
		}
	}
	return to, true
}

// writeOut puts what references refer to behind them.
func (b *builder) writeOut(g *group) bool {
	b.expanding++ // until the group is built
	atTop := g.hasOwnRoot(b.root)
	seen := map[*root]bool{}
	for i := 0; i < len(g.entries); i++ {
		ref := g.entries[i].ref
		if ref == nil {
			continue
		}
		to := ref.to
		switch {
		case to == nil:
			return false // reported
		case to == b.root && atTop:
			b.report(ref.pos, ruleRefCycle, "give it a type of its own", "%s is part of its own allOf", g.what)
			return false
		case seen[to]:
			continue
		}
		seen[to] = true
		if b.buildRoot(to); to.bad {
			return false
		}
		rest := slices.Clone(g.entries[i+1:])
		g.entries = g.entries[:i+1]
		g.gather(to.draft, written)
		if b.merged += len(g.entries) - i; b.merged > maxMerged {
			b.tooMuch(g, ruleTooLarge, "allOf stands for more than %d schemas", maxMerged)
			return false
		}
		g.entries = append(g.entries, rest...)
	}
	g.split()
	return true
}

// hasOwnRoot tells whether the group is the top of a root.
func (g *group) hasOwnRoot(r *root) bool {
	return slices.ContainsFunc(g.parts, func(p part) bool { return p.draft == r.draft && p.level == own }) ||
		slices.ContainsFunc(g.refs, func(p part) bool { return p.draft == r.draft && p.level == own })
}
