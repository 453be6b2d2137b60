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
	p.around = map[*schema.Property]string{}
	var walk func(s *schema.Schema, property *schema.Property, around string, sensitive bool)
	walk = func(s *schema.Schema, property *schema.Property, around string, sensitive bool) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		sensitive = sensitive || s.Sensitive != ""
		visit(s, property, sensitive)
		for _, child := range s.Properties {
			p.around[child] = around
			walk(child.Schema, child, child.Name, sensitive)
		}
		walk(s.AdditionalSchema, property, around, sensitive)
		walk(s.Items, property, around, sensitive)
		for _, b := range s.Branches {
			walk(b.Schema, property, around, sensitive)
		}
	}
	for _, t := range p.catalog.Types {
		walk(t.Schema, nil, t.Name, false)
	}
	for _, u := range p.catalog.URNs {
		for _, t := range u.Defs {
			walk(t.Schema, nil, t.Name, false)
		}
		walk(u.Data, nil, "", false)
	}
}

func unusedType(p *pass) {
	used := map[*schema.Type]bool{}
	var use func(types []*schema.Type)
	use = func(types []*schema.Type) {
		for _, t := range types {
			if !used[t] {
				used[t] = true
				use(t.Refs)
			}
		}
	}
	for _, u := range p.catalog.URNs {
		use(u.Refs)
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
