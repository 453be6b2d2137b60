package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
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
	draft.SortRules(s.Rules)
}

// rules adds what the parts of a group say and no Go type can. s has its kind. It reports false when the group has to
// be raw JSON after all: a Go type has no place for a rule about null, or about constants.
func (b *builder) rules(s *schema.Schema, g *group, mayBeNull bool) bool {
	wide := false
	for _, p := range g.parts {
		keywords, all := g.ruleKeywords(p.Draft)
		if (all || len(keywords) > 0) && !b.affordsRule(g, p.Draft, keywords) {
			return true
		}
		switch {
		case all:
			s.Rules = append(s.Rules, b.drafts.Rule(p.Draft))
		case len(keywords) > 0:
			s.Rules = append(s.Rules, b.drafts.Rule(p.Draft, keywords...))
		}
		isWide := func(keyword string) bool { return slices.Contains(ofAnyType, keyword) }
		wide = wide || all || slices.ContainsFunc(keywords, isWide)
	}
	draft.SortRules(s.Rules)
	hasConstants := slices.ContainsFunc(g.parts, func(p part) bool { return p.Const != nil || p.Enum != nil })
	return !wide || !mayBeNull && !hasConstants
}

// affordsRule reports whether a rule of some keywords, or of all, may be written. Writing it for the first time costs
// nothing.
func (b *builder) affordsRule(g *group, d *draft.Draft, keywords []string) bool {
	if !b.budget.ruled[d] {
		b.budget.ruled[d] = true
		return true
	}
	for _, p := range d.Node.Pairs {
		if len(keywords) == 0 || slices.Contains(keywords, p.Key.Text) {
			b.budget.copied += p.Value.Weight()
		}
	}
	return b.affordsCopies(g)
}

// ruleKeywords returns the keywords of a part that become a rule. Keywords that look at others next to them make a rule
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

// require adds a rule that members are there which no property declares. Their order has no meaning.
func (b *builder) require(s *schema.Schema, names []draft.RequiredName) {
	sorted := make([]string, len(names))
	for i, r := range names {
		sorted[i] = r.Name
	}
	slices.Sort(sorted)
	list := make([]any, len(names))
	for i, name := range sorted {
		list[i] = name
	}
	s.Rules = append(s.Rules, schema.Rule{
		Pos: names[0].Pos, Schema: jsonobj.Object{{Name: "required", Value: list}},
	})
}
