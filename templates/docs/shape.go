package docs

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// A shaper describes schemas. References become links, so a recursive type is not followed.
type shaper struct {
	names *gonames.Names
	types map[*schema.Type]*typePage
	key   *schema.Property // the message key, or nil

	rows  []row
	ids   map[string]int
	words []string // names of members
}

// shape describes s.
func (sh *shaper) shape(s *schema.Schema) shape {
	sh.rows, sh.ids = nil, map[string]int{}
	sh.inside(s, "", 0)
	return shape{Type: sh.typeOf(s), Facts: facts(s), Rows: sh.rows}
}

// typeOf says in words what a schema is.
func (sh *shaper) typeOf(s *schema.Schema) []link {
	words := sh.bareType(s)
	if s.Nullable && s.Kind != schema.Any {
		words = append(words, link{Text: " or null"})
	}
	return words
}

func (sh *shaper) bareType(s *schema.Schema) []link {
	text := func(s string) []link { return []link{{Text: s}} }
	switch s.Kind {
	case schema.Ref:
		page := sh.types[s.Target]
		return []link{{Text: page.Name, Page: page.Page}}
	case schema.Object:
		if !isMap(s) {
			return text("object")
		}
		if s.AdditionalSchema == nil {
			return text("map of any JSON")
		}
		return append(text("map of "), several(sh.typeOf(s.AdditionalSchema))...)
	case schema.Array:
		return append(text("array of "), several(sh.typeOf(s.Items))...)
	case schema.Any:
		return text("any JSON")
	case schema.Union:
		return text("one of " + count(len(s.Branches), "form") + ", told by " + name(s.Discriminator))
	}
	if s.Format != schema.NoFormat {
		return text(s.Kind.String() + ", " + s.Format.String())
	}
	return text(s.Kind.String())
}

// several is the plural of a type where it has one.
func several(words []link) []link {
	first, _, _ := strings.Cut(words[0].Text, " ")
	switch {
	case words[0].Page != "":
	case first == "string" || first == "integer" || first == "number" || first == "boolean" || first == "object" || first == "array" || first == "map":
		words[0].Text = first + "s" + words[0].Text[len(first):]
	}
	return words
}

// isMap reports whether the object has members of any name and no others.
func isMap(s *schema.Schema) bool {
	return s.Kind == schema.Object && len(s.Properties) == 0 && s.Additional == schema.AdditionalKept
}

// inside adds rows for what is inside of s, which stands at path.
func (sh *shaper) inside(s *schema.Schema, path string, depth int) {
	switch s.Kind {
	case schema.Object:
		sh.members(s, path, depth)
	case schema.Array:
		sh.elements(s.Items, path, "[]", depth)
	case schema.Union:
		for _, b := range s.Branches {
			r := row{Depth: depth, Parent: path, Name: name(b.Value), Branch: true, Type: sh.typeOf(b.Schema)}
			r.describe(b.Schema)
			r.Facts = append([]fact{{Text: "when " + name(s.Discriminator) + " is", Codes: []string{name(b.Value)}}}, r.Facts...)
			sh.add(r)
			sh.inside(b.Schema, path, depth+1)
		}
		if s.KeepUnknown {
			sh.add(row{
				Depth: depth, Parent: path, Name: "anything else", Branch: true, Type: []link{{Text: "object"}},
				Description: []string{"A form that is not known yet is kept as it came."},
			})
		}
	}
}

func (sh *shaper) members(s *schema.Schema, path string, depth int) {
	prefix := path
	if path != "" {
		prefix += "."
	}
	for _, p := range s.Properties {
		r := row{
			Depth: depth, Parent: prefix, Name: name(p.Name), Type: sh.typeOf(p.Schema), Required: p.Required,
			Key: p == sh.key, GoName: sh.names.Fields[p],
		}
		r.describe(p.Schema)
		sh.add(r)
		sh.words = append(sh.words, r.Name)
		sh.inside(p.Schema, prefix+r.Name, depth+1)
	}
	if s.AdditionalSchema != nil {
		sh.elements(s.AdditionalSchema, prefix, "*", depth)
	}
}

// elements adds a row for the elements of an array or the values of a map when there is something to say about them.
func (sh *shaper) elements(s *schema.Schema, path, sign string, depth int) {
	r := row{Depth: depth, Parent: path, Name: sign, Inside: true, Type: sh.typeOf(s)}
	if s.Kind != schema.Ref {
		r.describe(s)
	}
	if len(r.Description) > 0 || len(r.Facts) > 0 || r.Title != "" || r.Deprecated || r.Sensitive != "" {
		sh.add(r)
		depth++
	}
	sh.inside(s, path+sign, depth)
}

func (r *row) describe(s *schema.Schema) {
	r.Title, r.Description = line(s.Title), paragraphs(s.Description)
	r.Deprecated, r.Sensitive = s.Deprecated, line(s.Sensitive)
	r.Facts = facts(s)
}

func (sh *shaper) add(r row) {
	id := "field-" + pagename.Slug(r.Parent+"-"+r.Name)
	sh.ids[id]++
	if n := sh.ids[id]; n > 1 {
		id = fmt.Sprintf("%s~%d", id, n)
	}
	r.ID = id
	sh.rows = append(sh.rows, r)
}
