package merge

import (
	"slices"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// additionalProperties decides which members are valid besides the properties.
func (b *builder) additionalProperties(s *schema.Schema, g *group) {
	var drafts []*draft.Draft
	for _, p := range g.parts {
		if p.Node.Get("patternProperties") != nil { // a rule says what they are
			if s.Additional == schema.AdditionalIgnored {
				s.Additional = schema.AdditionalKept
			}
			continue
		}
		switch {
		case p.Additional == schema.AdditionalForbidden, s.Additional == schema.AdditionalForbidden:
			s.Additional = schema.AdditionalForbidden
		case p.Additional == schema.AdditionalKept:
			s.Additional = schema.AdditionalKept
		}
		if p.Further != nil {
			drafts = append(drafts, p.Further)
		}
	}
	if len(drafts) == 0 {
		if s.Additional == schema.AdditionalIgnored && !g.declaresProperties() {
			s.Additional = schema.AdditionalKept // any object: a type without members would lose all of it
		}
		return
	}
	further := b.inside(g, drafts...)
	if s.Additional == schema.AdditionalKept && !isFree(further) {
		s.AdditionalSchema = further
	}
}

// declaresProperties reports whether a part lists properties, if only an empty list.
func (g *group) declaresProperties() bool {
	return slices.ContainsFunc(g.parts, func(p part) bool { return p.Node.Get("properties") != nil })
}

// isFree reports whether s allows any value and does not describe it.
func isFree(s *schema.Schema) bool {
	return s.Kind == schema.Any && s.Title == "" && s.Description == "" && !s.Deprecated && s.Sensitive == "" &&
		s.GoType == nil && s.Default == nil && len(s.Examples) == 0
}
