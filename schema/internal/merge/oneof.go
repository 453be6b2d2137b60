package merge

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// union returns the part with a oneOf that becomes a union, or nil. Nothing else limits the values of a union, and a
// const tells its branches apart. Any other oneOf is a rule, and so is that of a payload, which is one Go type.
func (b *builder) union(g *group) *draft.Draft {
	var u *draft.Draft
	for _, p := range g.parts {
		if p.OneOf == nil || g.isOneOfNull(p.Draft) {
			continue
		}
		if u != nil || !b.outlook.isUnion(p.Draft) || b.root.Type == nil && g.isTopOf(b.root) && !p.HasUnknown {
			return nil
		}
		u = p.Draft
	}
	if u == nil || u.HasUnknown {
		return u
	}
	for _, p := range g.parts {
		isObject := p.Types == 0 || p.Types&draft.ObjectType != 0
		beside := []string{"allOf", "type"}
		if p.Draft == u || g.isOneOfNull(p.Draft) {
			beside = append(beside, "oneOf")
		}
		if !isObject || p.Constrains(beside...) {
			return nil
		}
	}
	return u
}

// makeUnion makes a schema of a oneOf.
func (b *builder) makeUnion(s *schema.Schema, g *group, u *draft.Draft) {
	s.Kind, s.KeepUnknown, s.Nullable = schema.Union, u.KeepUnknown, g.null != nil
	pos := u.KeyPos("oneOf")
	if len(g.parts) > 1 {
		pos = g.at
	}
	types := b.siblings(g, u, pos)
	for _, entry := range u.OneOf {
		if !entry.IsNull() {
			branch := b.build([]*draft.Draft{entry}, g.at)
			s.Branches = append(s.Branches, schema.Branch{Pos: entry.Pos, Schema: branch})
			continue
		}
		if s.Nullable {
			b.Report(entry.Pos, schema.RuleOneOf, "keep one of the two", "null is in the oneOf twice")
			g.doubt |= trust.Faulty
		}
		s.Nullable = true
	}
	if types&draft.NullType != 0 && !s.Nullable && g.doubt.MayContradict() {
		b.Report(pos, schema.RuleOneOf, `add {type: "null"} to it, or take "null" out of the type`,
			"type allows null, oneOf does not")
	}
	if len(s.Branches) == 0 {
		b.reportUnion(g, pos, "list the objects that are valid", "oneOf has no branch but null")
	}
	if g.doubt.MayContradict() {
		waiting := pendingUnion{schema: s, root: b.root, pos: pos}
		if !u.HasUnknown {
			for _, d := range g.top {
				waiting.rules = append(waiting.rules, b.drafts.Rule(d))
			}
			draft.SortRules(waiting.rules)
		}
		b.unions = append(b.unions, waiting)
	}
}

// reportUnion reports the first fault of a union.
func (b *builder) reportUnion(g *group, pos schema.Pos, hint, format string, args ...any) {
	if g.doubt.MayContradict() {
		b.Report(pos, schema.RuleOneOf, hint, format, args...)
		g.doubt |= trust.Faulty
	}
}

// siblings reports keywords that cannot stand next to a oneOf, and returns the types that stand there.
func (b *builder) siblings(g *group, u *draft.Draft, pos schema.Pos) draft.TypeSet {
	var types draft.TypeSet
	for _, p := range g.parts {
		allowed := []string{"allOf", "type"}
		if p.Draft == u || g.isOneOfNull(p.Draft) {
			allowed = append(allowed, "oneOf", "x-unknown-branch")
		}
		if p.Constrains(allowed...) {
			b.reportUnion(g, pos, "put what all branches have into each of them, with allOf",
				"oneOf stands alone: other keywords cannot be merged with its branches")
		}
		types |= p.Types
	}
	if types != 0 && types&draft.ObjectType == 0 {
		b.reportUnion(g, pos, "the branches are objects: leave type out",
			"oneOf with type %s is not supported", types&^draft.NullType)
	}
	return types
}
