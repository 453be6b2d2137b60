package merge

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/near"
)

// required marks the properties that a part requires.
func (b *builder) required(s *schema.Schema, g *group) {
	var byName map[string]*schema.Property
	known := b.near.Lazy(func() []string { return PropertyNames(s) })
	var undeclared []draft.RequiredName
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
				undeclared = append(undeclared, r)
			}
		}
	}
	const otherwise = "declare it under properties"
	for _, r := range undeclared {
		report := b.Report
		hint := known.DidYouMean(r.Name, otherwise)
		if hint == otherwise { // nothing looks like it: it is meant as it stands
			report = b.Warn
		}
		report(r.Pos, schema.RuleRequired, hint, "required names %s, which is no property", text.Quote(r.Name))
	}
	if len(undeclared) > 0 {
		b.require(s, undeclared)
	}
}

// PropertyNames returns the names of the properties of an object.
func PropertyNames(s *schema.Schema) []string {
	return near.Names(s.Properties, func(p *schema.Property) string { return p.Name })
}
