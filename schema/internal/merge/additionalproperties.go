package merge

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// additionalProperties decides which members are valid besides the properties.
func (b *builder) additionalProperties(s *schema.Schema, g *group) {
	var drafts []*draft.Draft
	for _, p := range g.parts {
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
		return
	}
	further := b.inside(g, drafts...)
	if s.Additional == schema.AdditionalKept && !isFree(further) {
		s.AdditionalSchema = further
	}
}

// isFree reports whether s allows any value and does not describe it.
func isFree(s *schema.Schema) bool {
	return s.Kind == schema.Any && s.Title == "" && s.Description == "" && !s.Deprecated && s.Sensitive == "" &&
		s.GoType == nil && s.Default == nil && len(s.Examples) == 0
}
