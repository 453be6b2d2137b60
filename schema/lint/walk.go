package lint

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// A visitFunc is called for a schema.
type visitFunc func(s *schema.Schema, property *schema.Property, sensitive bool)

// eachSchema visits every schema of the catalog once, where it is written: it does not follow references. The property
// is the nearest one around the schema, nil at the top. Sensitive reports whether something around the schema is
// marked.
func (p *pass) eachSchema(visit visitFunc) {
	seen := map[*schema.Schema]bool{}
	var walk visitFunc
	walk = func(s *schema.Schema, property *schema.Property, sensitive bool) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		sensitive = sensitive || s.Sensitive != ""
		visit(s, property, sensitive)
		for _, child := range s.Properties {
			walk(child.Schema, child, sensitive)
		}
		walk(s.AdditionalSchema, property, sensitive)
		walk(s.Items, property, sensitive)
		for _, b := range s.Branches {
			walk(b.Schema, property, sensitive)
		}
	}
	for _, t := range p.catalog.Types {
		walk(t.Schema, nil, false)
	}
	for _, u := range p.catalog.URNs {
		for _, t := range u.Defs {
			walk(t.Schema, nil, false)
		}
		walk(u.Data, nil, false)
	}
}

func unusedType(p *pass) {
	used := map[*schema.Type]bool{}
	var walk func(s *schema.Schema)
	walk = func(s *schema.Schema) {
		if s == nil {
			return
		}
		if s.Kind == schema.Ref && !used[s.Target] {
			used[s.Target] = true
			walk(s.Target.Schema)
		}
		for _, child := range s.Properties {
			walk(child.Schema)
		}
		walk(s.AdditionalSchema)
		walk(s.Items)
		for _, b := range s.Branches {
			walk(b.Schema)
		}
	}
	for _, u := range p.catalog.URNs {
		walk(u.Data)
	}
	unused := func(t *schema.Type) {
		// A type in another file may be meant for other catalogs.
		if !used[t] && t.Pos.File == p.catalog.File {
			p.report(t.Pos, "remove it, or refer to it", "type %s is not used by any URN", text.Quote(t.Name))
		}
	}
	for _, t := range p.catalog.Types {
		unused(t)
	}
	for _, u := range p.catalog.URNs {
		for _, t := range u.Defs {
			unused(t)
		}
	}
}
