package merge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A builder makes the schemas of one root.
type builder struct {
	*Merger
	root      *draft.Root
	depth     int             // of schemas inside each other
	expanding int             // the number of those that write out types
	path      map[string]bool // merges that are under way, by their drafts
}

// Report reports a finding and doubts the root.
func (b *builder) Report(pos schema.Pos, rule, hint, format string, args ...any) {
	b.root.Doubt |= trust.Inside
	b.Merger.Report(pos, rule, hint, format, args...)
}

// reportFirst reports the first fault of a group. Others may follow from it.
func (b *builder) reportFirst(g *group, pos schema.Pos, rule, hint, format string, args ...any) {
	b.root.Doubt |= trust.Inside
	if g.doubt.MayContradict() {
		b.Merger.Report(pos, rule, hint, format, args...)
		g.doubt |= trust.Faulty
	}
}

// conflict reports that parts of a group contradict each other.
func (b *builder) conflict(g *group, hint, format string, args ...any) {
	b.reportFirst(g, g.at, schema.RuleContradiction, hint,
		"%s contradicts itself: %s", g.what, fmt.Sprintf(format, args...))
}

// contradiction reports that keywords contradict each other: at the one that is named, when one part has both.
func (b *builder) contradiction(g *group, keyword, other, format string, args ...any) {
	pos := g.at
	if len(g.parts) == 1 {
		d := g.parts[0].Draft
		if pos = d.KeyPos(keyword); d.Node.Get(keyword) == nil {
			pos = d.KeyPos(other)
		}
	}
	b.reportFirst(g, pos, schema.RuleContradiction, "no value would be valid", format, args...)
}

// inside makes a schema inside that of a group: of a property, of items.
func (b *builder) inside(g *group, drafts ...*draft.Draft) *schema.Schema {
	return b.build(drafts, g.at)
}

// build makes one schema of drafts. Contradictions between them are reported at the allOf that brings them together.
func (b *builder) build(drafts []*draft.Draft, at schema.Pos) *schema.Schema {
	first := drafts[0]
	s := &schema.Schema{Pos: first.Pos}
	g := &group{what: first.What, at: at, top: drafts}
	if len(drafts) == 1 && first.AllOf != nil {
		g.at = first.KeyPos("allOf")
	}
	b.depth++
	defer func() { b.depth-- }()
	if b.depth > source.MaxDepth {
		b.tooMuch(g, schema.RuleTooDeep, "%s nests more than %d levels deep", g.what, source.MaxDepth)
		b.doubt(s, trust.Inside)
		return s
	}
	if again := b.again(drafts); len(again) > 0 {
		if b.budget.merged++; b.budget.merged > maxMerged {
			b.tooMuch(g, schema.RuleTooLarge, "allOf stands for more than %d schemas", maxMerged)
			b.doubt(s, trust.Inside)
			return s
		}
		for _, d := range again {
			b.budget.copied += b.copiedWith(d)
		}
		if !b.affordsCopies(g) {
			b.doubt(s, trust.Inside)
			return s
		}
	}
	if len(drafts) > 1 || first.AllOf != nil || b.expanding > 0 {
		key := keyOf(drafts)
		if b.path[key] {
			b.conflict(g, "refer to a named type instead of merging it", "its allOf contains itself")
			b.doubt(s, trust.Inside)
			return s
		}
		b.path[key] = true
		defer delete(b.path, key)
	}
	for _, d := range drafts {
		g.gather(d, own)
	}
	g.split()
	expanding, errors := b.expanding, b.Errors()
	b.fill(s, g)
	b.expanding = expanding
	b.passOn(s, g, drafts, b.Errors() > errors)
	return s
}

// passOn adds the doubts about its drafts to the schema and the root.
func (b *builder) passOn(s *schema.Schema, g *group, drafts []*draft.Draft, reported bool) {
	if g.doubt != 0 {
		b.root.Doubt |= trust.Inside
	}
	doubted := slices.ContainsFunc(drafts, func(d *draft.Draft) bool { return d.Doubt != 0 })
	if g.doubt != 0 || reported || doubted {
		b.doubt(s, g.doubt|trust.Inside)
	}
}

func (m *Merger) doubt(s *schema.Schema, d trust.Doubt) { m.result.Doubts[s] |= d }

// again returns those of the drafts that are built once more, as parts of types that are written out.
func (b *builder) again(drafts []*draft.Draft) (again []*draft.Draft) {
	for _, d := range drafts {
		if b.built[d.ID] {
			again = append(again, d)
		}
		b.built[d.ID] = true
	}
	return again
}

// tooMuch reports that a limit is exceeded.
func (b *builder) tooMuch(g *group, rule, format string, args ...any) {
	b.root.Doubt |= trust.Inside
	if !b.budget.exceeded {
		b.budget.exceeded = true
		b.Merger.Report(g.at, rule, "refer to named types instead of merging them", format, args...)
	}
}

func keyOf(drafts []*draft.Draft) string {
	var key strings.Builder
	for _, d := range drafts {
		key.WriteString(strconv.FormatUint(uint64(d.ID), 36))
		key.WriteByte(' ')
	}
	return key.String()
}

// fill decides what kind of schema a group is, and makes it.
func (b *builder) fill(s *schema.Schema, g *group) {
	b.allowNull(g)
	if slices.ContainsFunc(g.parts, func(p part) bool { return p.Never }) {
		b.raw(s, g)
		b.annotate(s, g)
		return
	}
	if len(g.refs) > 0 {
		target, alone := g.soleTarget()
		if alone && target != nil && b.root.Type == nil && g.isTopOf(b.root) && target.Draft.OneOf != nil {
			if b.outlook.isUnion(target.Draft) && target.Draft.Ref == nil && g.null == nil {
				b.raw(s, g)
				s.Kind, s.Additional = schema.Object, schema.AdditionalKept // a payload is one Go type
				b.annotate(s, g)
				return
			}
		}
		if alone {
			s.Kind, s.Nullable = schema.Ref, g.null != nil
			if target != nil {
				s.Target = target.Type
			}
			b.annotate(s, g)
			b.checkNull(s, g)
			return
		}
		if !b.writeOut(g) {
			g.doubt |= trust.Partial
			b.lookInto(s, g)
			return
		}
	}
	if u := b.union(g); u != nil {
		b.makeUnion(s, g, u)
		b.annotate(s, g)
		return
	}
	if d := b.tried(g); d != nil {
		b.makeTried(s, g, d)
		b.annotate(s, g)
		return
	}
	b.merge(s, g)
	b.annotate(s, g)
	b.checkNull(s, g)
}

// merge makes a schema of parts none of which is a reference or a union.
func (b *builder) merge(s *schema.Schema, g *group) {
	types, ok := b.types(g)
	s.Kind = types.Kind()
	if s.Kind == 0 && types != 0 {
		b.raw(s, g)
		return
	}
	if s.Kind == 0 {
		if !ok || !g.doubt.MayMiss() || !g.doubt.MayContradict() {
			b.lookInto(s, g)
			return
		}
		s.Kind = schema.Any
	}
	s.Nullable = types&draft.NullType != 0 && s.Kind != schema.Any || g.null != nil
	if !b.rules(s, g, s.Nullable) {
		b.raw(s, g)
		return
	}
	if s.Kind != schema.Any {
		for _, p := range g.parts {
			if p.Doubt.MayContradict() || p.Types != 0 {
				b.misplaced(p.Draft, s.Kind, types&^draft.NullType)
			}
		}
	}
	b.closed(s, g)
	if g.null != nil && s.Const != nil {
		b.constOrNull(s, g)
	}
	b.format(s, g)
	switch s.Kind {
	case schema.Object:
		b.object(s, g)
	case schema.Array:
		b.array(s, g)
	case schema.String:
		b.text(s, g)
	case schema.Integer, schema.Number:
		b.numbers(s, g)
	}
	b.lookInto(s, g)
	if g.doubt.MayContradict() {
		b.claimClosed(s)
	}
}

// lookInto makes schemas inside one that has no place for them, so that their faults are reported.
func (b *builder) lookInto(s *schema.Schema, g *group) {
	for _, p := range g.parts {
		if s.Kind != schema.Object {
			for _, member := range p.Members {
				b.inside(g, member.Schema)
			}
		}
		if s.Kind != schema.Object && p.Further != nil {
			b.inside(g, p.Further)
		}
		if s.Kind != schema.Array && p.Item != nil {
			b.inside(g, p.Item)
		}
	}
}

// sortedSet sorts texts and drops duplicates, so that what is made of them does not depend on the order of an allOf.
func sortedSet(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// listSet lists a set of texts for a message.
func listSet(texts []string) string { return text.List(sortedSet(texts)) }
