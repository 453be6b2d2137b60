package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// maxRefs ends a chain of references that leads in a circle.
const maxRefs = 10_000

// writeOut puts the drafts of types behind the references to them. It reports false when the types cannot be relied on.
func (b *builder) writeOut(g *group) bool {
	b.expanding++ // until the group is built
	atTop := g.isTopOf(b.root)
	seen := map[*draft.Root]bool{}
	for i := 0; i < len(g.entries); i++ {
		ref := g.entries[i].Ref
		if ref == nil {
			continue
		}
		to := ref.To
		switch {
		case to == nil:
			return false // reported
		case to == b.root && atTop:
			b.Report(ref.Pos, schema.RuleRefCycle, "give it a type of its own", "%s is part of its own allOf", g.what)
			return false
		case seen[to]:
			continue
		}
		seen[to] = true
		if b.buildRoot(to); !to.Doubt.MayRely() {
			return false
		}
		rest := slices.Clone(g.entries[i+1:])
		g.entries = g.entries[:i+1]
		g.gather(to.Draft, written)
		if b.budget.merged += len(g.entries) - i; b.budget.merged > maxMerged {
			b.tooMuch(g, schema.RuleTooLarge, "allOf stands for more than %d schemas", maxMerged)
			return false
		}
		for _, e := range g.entries[i+1:] {
			b.budget.copied += b.copiedWith(e.Draft)
		}
		if !b.affordsCopies(g) {
			return false
		}
		g.entries = append(g.entries, rest...)
	}
	g.split()
	return true
}

func (b *builder) affordsCopies(g *group) bool {
	if b.budget.copied > maxCopied {
		b.tooMuch(g, schema.RuleTooLarge, "allOf repeats more than %d values and rules", maxCopied)
		return false
	}
	return true
}

// copiedWith is the number of values inside the keywords of a draft that are no schemas of their own, such as enum,
// required and patternProperties. A schema that the draft becomes a part of has a copy of them.
func (b *builder) copiedWith(d *draft.Draft) int {
	size, known := b.budget.sizes[d]
	if !known {
		for _, p := range d.Node.Pairs {
			switch p.Key.Text {
			case "properties", "items", "allOf", "oneOf", "anyOf", "$defs": // made, and counted, one by one
			default:
				size += p.Value.Weight()
			}
		}
		b.budget.sizes[d] = size
	}
	return size
}

// Follow is [schema.Schema.Resolve] for a schema that may be doubted: it returns nil when a reference leads nowhere.
func Follow(s *schema.Schema) *schema.Schema {
	for steps := 0; s != nil && s.Kind == schema.Ref; steps++ {
		if s.Target == nil || steps > maxRefs {
			return nil
		}
		s = s.Target.Schema
	}
	return s
}

// doubtTypes adds to the doubt about types that were reported.
func (m *Merger) doubtTypes(types []*schema.Type, d trust.Doubt) {
	for _, t := range types {
		m.rootOf[t].Doubt |= d
	}
}
