package merge

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// object merges the keywords of objects.
func (b *builder) object(s *schema.Schema, g *group) {
	b.properties(s, g)
	b.checkFieldNames(s)
	b.required(s, g)
	b.additionalProperties(s, g)
	for _, p := range g.parts {
		s.MinProperties = larger(s.MinProperties, p.MinProperties)
		s.MaxProperties = smaller(s.MaxProperties, p.MaxProperties)
	}
	if len(s.Rules) > 0 && s.Additional == schema.AdditionalIgnored {
		s.Additional = schema.AdditionalKept // rules look at undeclared members too, also when a value is sent on
	}
	b.ordered(g, "minProperties", s.MinProperties, "maxProperties", s.MaxProperties)
	required := 0
	for _, p := range s.Properties {
		if p.Required {
			required++
		}
	}
	declared := len(s.Properties)
	switch {
	case s.MaxProperties != nil && required > *s.MaxProperties:
		b.contradiction(g, "maxProperties", "required",
			"%s requires %s and allows %d", g.what, text.Count(required, "member"), *s.MaxProperties)
	case s.MinProperties != nil && s.Additional == schema.AdditionalForbidden && declared < *s.MinProperties:
		b.contradiction(g, "minProperties", "additionalProperties",
			"%s can have %s and asks for %d", g.what, text.Count(declared, "member"), *s.MinProperties)
	}
}
