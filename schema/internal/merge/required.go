package merge

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
)

// required marks the properties that a part requires.
func (b *builder) required(s *schema.Schema, g *group) {
	var byName map[string]*schema.Property
	known := b.near.Lazy(func() []string { return PropertyNames(s) })
	for _, part := range g.parts {
		for _, r := range part.Required {
			if byName == nil {
				byName = make(map[string]*schema.Property, len(s.Properties))
				for _, p := range s.Properties {
					byName[p.Name] = p
				}
			}
			if p := byName[r.Name]; p != nil {
				p.Required = true
			} else if g.doubt.MayMiss() {
				b.Report(r.Pos, schema.RuleRequired, known.DidYouMean(r.Name, "declare it under properties"),
					"required names %s, which is no property", text.Quote(r.Name))
			}
		}
	}
}

// PropertyNames returns the names of the properties of an object.
func PropertyNames(s *schema.Schema) []string {
	return near.Names(s.Properties, func(p *schema.Property) string { return p.Name })
}
