package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// ofAnyType are keywords of rules that limit values of any type, null included.
var ofAnyType = []string{"anyOf", "oneOf", "not", "if", "then", "else", "enum", "const"}

// ofOneType are keywords of rules that limit values of one type.
var ofOneType = []string{
	"contains", "minContains", "maxContains", "propertyNames", "dependentRequired", "dependentSchemas",
}

// raw makes a schema of a group for which Go has no type: all that its drafts say is a rule.
func (b *builder) raw(s *schema.Schema, g *group) {
	s.Kind, s.Nullable = schema.Any, false
	s.Rules = nil
	for _, d := range g.top {
		s.Rules = append(s.Rules, b.drafts.Rule(d))
	}
}

// rules adds what the parts of a group say and no Go type can. s has its kind. It reports false when the group has to
// be raw JSON after all: a Go type has no place for a rule about null, or about constants.
func (b *builder) rules(s *schema.Schema, g *group, mayBeNull bool) bool {
	wide := false
	for _, p := range g.parts {
		keywords, all := g.ruleKeywords(p.Draft)
		switch {
		case all:
			s.Rules = append(s.Rules, b.drafts.Rule(p.Draft))
		case len(keywords) > 0:
			s.Rules = append(s.Rules, b.drafts.Rule(p.Draft, keywords...))
		}
		isWide := func(keyword string) bool { return slices.Contains(ofAnyType, keyword) }
		wide = wide || all || slices.ContainsFunc(keywords, isWide)
	}
	hasConstants := slices.ContainsFunc(g.parts, func(p part) bool { return p.Const != nil || p.Enum != nil })
	return !wide || !mayBeNull && !hasConstants
}

// ruleKeywords returns the keywords of a part that become a rule. Keywords that look at others beside them make a rule
// of all.
func (g *group) ruleKeywords(d *draft.Draft) (keywords []string, all bool) {
	has := func(name string) bool { return d.Node.Get(name) != nil }
	if has("unevaluatedProperties") || has("unevaluatedItems") {
		return nil, true
	}
	for _, name := range slices.Concat(ofAnyType, ofOneType) {
		switch {
		case !has(name):
		case name == "enum" || name == "const":
			if d.ValuesRule == name {
				keywords = append(keywords, name)
			}
		case (name == "anyOf" || name == "oneOf") && g.isOneOfNull(d):
		default:
			keywords = append(keywords, name)
		}
	}
	if has("prefixItems") {
		keywords = append(keywords, "prefixItems", "items")
	}
	if has("patternProperties") {
		keywords = append(keywords, "patternProperties")
		if has("additionalProperties") {
			keywords = append(keywords, "additionalProperties", "properties")
		}
	}
	return keywords, false
}

// require adds a rule that members are there which no property declares.
func (b *builder) require(s *schema.Schema, names []draft.RequiredName) {
	list := make([]any, len(names))
	for i, r := range names {
		list[i] = r.Name
	}
	s.Rules = append(s.Rules, schema.Rule{
		Pos: names[0].Pos, Schema: jsonobj.Object{{Name: "required", Value: list}},
	})
}

// maxPossible is how deep a schema is looked into for the types that it can have.
const maxPossible = 32

// possibleTypes returns the types that a draft can have, as far as that can be told without its rules.
func possibleTypes(d *draft.Draft, depth int) draft.TypeSet {
	if depth > maxPossible {
		return draft.EveryType
	}
	types := draft.TypeSet(draft.EveryType)
	limit := func(by draft.TypeSet) {
		if by != 0 {
			types &= by
		}
	}
	limit(d.Types)
	limit(d.ValueTypes())
	if d.Ref != nil && d.Ref.To != nil {
		limit(possibleTypes(d.Ref.To.Draft, depth+1))
	}
	for _, entry := range d.AllOf {
		limit(possibleTypes(entry, depth+1))
	}
	for _, either := range [][]*draft.Draft{d.OneOf, d.AnyOf} {
		var some draft.TypeSet
		for _, entry := range either {
			if !entry.Never {
				some |= possibleTypes(entry, depth+1)
			}
		}
		limit(some)
	}
	return types
}

// isUnion reports whether a const of a property that all branches of a oneOf require can tell them apart.
func isUnion(u *draft.Draft) bool {
	if u.HasUnknown {
		return true // it is meant to be one
	}
	var common map[string]bool
	for _, entry := range u.OneOf {
		if entry.IsNull() {
			continue
		}
		types := possibleTypes(entry, 0)
		if types != draft.EveryType && types != draft.ObjectType {
			return false
		}
		tags := tagsOf{required: map[string]bool{}, consts: map[string]bool{}}
		tags.look(entry, 0)
		found := map[string]bool{}
		for name := range tags.consts {
			if tags.required[name] && (common == nil || common[name]) {
				found[name] = true
			}
		}
		common = found
	}
	return len(common) > 0
}

// tagsOf are the properties of a branch that are required, and those that have only one value, a string.
type tagsOf struct{ required, consts map[string]bool }

func (t tagsOf) look(d *draft.Draft, depth int) {
	if depth > maxPossible {
		return
	}
	if d.Ref != nil && d.Ref.To != nil {
		t.look(d.Ref.To.Draft, depth+1)
	}
	for _, entry := range d.AllOf {
		t.look(entry, depth+1)
	}
	for _, r := range d.Required {
		t.required[r.Name] = true
	}
	for _, m := range d.Members {
		if hasStringConst(m.Schema, depth) {
			t.consts[m.Name] = true
		}
	}
}

func hasStringConst(d *draft.Draft, depth int) bool {
	if depth > maxPossible {
		return false
	}
	if d.Ref != nil && d.Ref.To != nil && hasStringConst(d.Ref.To.Draft, depth+1) {
		return true
	}
	for _, entry := range d.AllOf {
		if hasStringConst(entry, depth+1) {
			return true
		}
	}
	return d.Const != nil && d.Node.Get("const") != nil && draft.LiteralType(d.Node.Get("const")) == draft.StringType &&
		d.Node.Kind == source.Mapping
}
