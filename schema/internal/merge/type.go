package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// types returns the types that all parts allow, and zero for any. It reports false when there are none.
func (b *builder) types(g *group) (draft.TypeSet, bool) {
	types := draft.TypeSet(draft.EveryType)
	var stated []string
	for _, p := range g.parts {
		one := p.Types
		if one == 0 {
			one = p.ValueTypes()
		}
		if either := b.outlook.typesOfEither(p.Draft); !g.isOneOfNull(p.Draft) {
			switch {
			case one == 0 && either != draft.EveryType:
				one = either
			case one&either != 0:
				one &= either
			}
		}
		if one == 0 {
			continue
		}
		stated = append(stated, one.String())
		types &= one
	}
	switch {
	case stated == nil:
		return b.impliedTypes(g)
	case types == 0:
		b.conflict(g, "give all of them one type",
			"a value cannot be of the types %s at once", text.List(text.QuoteAll(sortedSet(stated))))
		return 0, false
	}
	return types, true
}

// impliedTypes returns the type of a group that does not state it. Everybody means an object by a schema with
// properties. Other schemas must state their type, since without it they do not constrain values of another type.
func (b *builder) impliedTypes(g *group) (draft.TypeSet, bool) {
	var meant draft.TypeSet
	for _, p := range g.parts {
		for _, k := range draft.Keywords {
			if k.Types != 0 && p.Node.Get(k.Name) != nil {
				meant |= k.Types
			}
		}
	}
	reliable := g.doubt.MayContradict() && g.doubt.MayMiss()
	if meant == 0 || !reliable {
		return 0, reliable
	}
	first := g.parts[0].Draft
	if meant == draft.ObjectType && g.declaresMembers() {
		b.Warn(first.Pos, schema.RuleImplied, "add type: object", "%s has no type and is taken for an object", g.what)
		return draft.ObjectType, true
	}
	hint := "add type: " + meant.String()
	if meant.Kind() == 0 {
		hint = "type: one of " + text.List(draft.TypeNames)
	}
	b.Warn(first.Pos, schema.RuleMissingType, hint,
		"%s has no type: values of all other types are valid, and it is raw JSON", g.what)
	return draft.EveryType, true
}

// declaresMembers reports whether a part says what the members of an object are.
func (g *group) declaresMembers() bool {
	return slices.ContainsFunc(g.parts, func(p part) bool { return p.Members != nil || p.Further != nil })
}

// misplaced reports the keywords of a draft that do not constrain values of kind k.
func (b *builder) misplaced(d *draft.Draft, k schema.Kind, types draft.TypeSet) {
	for _, p := range d.Node.Pairs {
		name := p.Key.Text
		fits, _ := draft.TypesOf(name)
		if fits == 0 || fits&types != 0 {
			continue
		}
		// The frequent slip of required: true on a property is reported as such, once.
		if name == "required" && p.Value.Kind == source.Scalar {
			continue
		}
		b.Report(p.Key.Pos, schema.RuleMisplacedKeyword, "", "%s belongs to type %s, this is %s", name, fits, k)
	}
}
