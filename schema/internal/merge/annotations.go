package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// annotate merges the keywords that describe a value. Those of the schema itself win over those of its allOf, and those
// over the ones of types that were written out.
func (b *builder) annotate(s *schema.Schema, g *group) {
	all := append(slices.Clone(g.parts), g.refs...)
	s.Title = mergeTexts(all, func(d *draft.Draft) string { return d.Title })
	s.Description = mergeTexts(all, func(d *draft.Draft) string { return d.Description })
	s.Sensitive = b.sensitivity(g, all)
	for _, p := range all {
		s.Deprecated = s.Deprecated || p.Deprecated
	}
	s.PassedOn = passedOn(all)
	b.goName(s, g, all)
	b.goType(s, g, all)
	b.defaultAndExamples(s, g, all)
}

// mergeTexts returns the text of the innermost level that has one. When several parts of that level have one, it
// returns all of them, sorted, so that the order of an allOf makes no difference.
func mergeTexts(parts []part, of func(*draft.Draft) string) string {
	for level := own; level <= written; level++ {
		var found []string
		for _, p := range parts {
			if s := of(p.Draft); s != "" && p.level == level {
				found = append(found, s)
			}
		}
		if found != nil {
			return strings.Join(sortedSet(found), "\n\n")
		}
	}
	return ""
}

// passedOn merges keywords that mean nothing to bqgen. The innermost level that has one decides its value; of several
// there, the least text, so that the order of an allOf makes no difference.
func passedOn(parts []part) (all []schema.PassedOn) {
	type choice struct {
		schema.PassedOn
		level level
	}
	chosen := map[string]choice{}
	for _, p := range parts {
		for _, k := range p.PassedOn {
			c, met := chosen[k.Name]
			isLess := p.level == c.level && string(k.Value.JSON) < string(c.Value.JSON)
			if !met || p.level < c.level || isLess {
				chosen[k.Name] = choice{k, p.level}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		all = append(all, chosen[name].PassedOn)
	}
	return all
}

// sensitivity merges x-gdpr-sensitive. A category is more specific than true.
func (b *builder) sensitivity(g *group, parts []part) string {
	var categories []string
	merged := ""
	for _, p := range parts {
		switch p.Sensitive {
		case "":
		case "true":
			merged = "true"
		default:
			categories = append(categories, p.Sensitive)
		}
	}
	categories = sortedSet(categories)
	switch {
	case len(categories) == 0:
		return merged
	case len(categories) > 1:
		b.conflict(g, "keep one of them",
			"x-gdpr-sensitive cannot be %s at once", text.List(text.QuoteAll(categories)))
	}
	return categories[0]
}

// goName takes x-go-name, which is never inherited.
func (b *builder) goName(s *schema.Schema, g *group, parts []part) {
	var names []string
	for _, p := range parts {
		if p.GoName != "" && p.level == own {
			names = append(names, p.GoName)
			s.GoName, s.GoNamePos = p.GoName, p.GoNamePos
		}
	}
	if names = sortedSet(names); len(names) > 1 {
		b.conflict(g, "keep one of them", "x-go-name cannot be %s at once", text.List(names))
	}
}

// goType merges x-go-type.
func (b *builder) goType(s *schema.Schema, g *group, parts []part) {
	var types []string
	for _, p := range parts {
		if p.GoType != nil {
			types = append(types, p.GoType.Import+"."+p.GoType.Name)
			s.GoType = p.GoType
		}
	}
	if types = sortedSet(types); len(types) > 1 {
		b.conflict(g, "keep one of them", "x-go-type cannot be %s at once", text.List(describeAll(types)))
	}
	if s.GoType != nil && s.Kind == schema.Ref {
		b.Report(s.GoType.Pos, schema.RuleMisplacedKeyword, "put it on the type that is referred to",
			"x-go-type is not allowed next to $ref")
		s.GoType = nil
	}
}
