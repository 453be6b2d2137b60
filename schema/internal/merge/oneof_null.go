package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// allowNull understands the idiom for a value that may be null, a oneOf or anyOf with a schema and {type: "null"}: the
// schema becomes part of the group. It is the idiom only when nothing else limits which values are valid.
func (b *builder) allowNull(g *group) {
	var idiom *draft.Draft
	for _, p := range g.parts {
		switch {
		case !p.Constrains("allOf"):
		case idiom != nil || len(p.OneOf)+len(p.AnyOf) != 2 || p.HasUnknown || p.Constrains("allOf", "oneOf", "anyOf"):
			return
		default:
			idiom = p.Draft
		}
	}
	if idiom == nil || len(g.refs) > 0 {
		return
	}
	either := slices.Concat(idiom.OneOf, idiom.AnyOf)
	for i, entry := range either {
		if other := either[1-i]; entry.IsNull() && !other.IsNull() {
			g.null = entry
			g.gather(other, inAllOf)
			g.split()
			return
		}
	}
}

// isOneOfNull reports whether the oneOf of a draft is the idiom for a value that may be null.
func (g *group) isOneOfNull(d *draft.Draft) bool {
	return g.null != nil && (slices.Contains(d.OneOf, g.null) || slices.Contains(d.AnyOf, g.null))
}

// A pendingNullable is a reference that may be null. Whether its target may be null as well is known when all schemas
// are made.
type pendingNullable struct {
	root   *draft.Root
	pos    schema.Pos // of null
	what   string
	target *schema.Type
}

const nullTwice = "%s allows null twice: oneOf wants exactly one of its schemas to hold"

// checkNull reports a oneOf in which null is valid in both of the schemas, and therefore in none.
func (b *builder) checkNull(s *schema.Schema, g *group) {
	inAnyOf := func(p part) bool { return slices.Contains(p.AnyOf, g.null) }
	if g.null == nil || !g.doubt.MayContradict() || slices.ContainsFunc(g.parts, inAnyOf) {
		return
	}
	for _, p := range g.parts {
		if p.Types&draft.NullType != 0 || p.NullInEnum {
			b.Report(g.null.Pos, schema.RuleOneOf, "leave one of them out", nullTwice, g.what)
			return
		}
	}
	if s.Kind == schema.Any {
		b.Report(g.null.Pos, schema.RuleOneOf, "leave out the oneOf", nullTwice, g.what)
	}
	if s.Kind == schema.Ref && s.Target != nil {
		b.nullables = append(b.nullables, pendingNullable{b.root, g.null.Pos, g.what, s.Target})
	}
}

// checkTargetNull reports a reference that may be null to a type that allows null.
func (m *Merger) checkTargetNull(n pendingNullable) {
	s := n.target.Schema
	for steps := 0; s != nil && steps < maxRefs; steps++ {
		if s.Kind == schema.Any || s.Nullable {
			n.root.Doubt |= trust.Inside
			m.Report(n.pos, schema.RuleOneOf, "leave it out: the type allows null", nullTwice, n.what)
			return
		}
		if s.Kind != schema.Ref || s.Target == nil {
			return
		}
		s = s.Target.Schema
	}
}
