package docs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// A shaper describes schemas. A reference becomes a link and is not followed, so a recursive type ends.
type shaper struct {
	names *gonames.Names
	types map[*schema.Type]*typePage
	key   *schema.Property // the message key, or nil
	paths *int             // size of the paths of all rows, of other shapes too

	rows   []row
	ids    map[string]int // how often each has been used
	fields []string       // names of the fields, for the search
	keyRow string         // ID of the row of the key
}

// A shapeKey is what a shape is made of.
type shapeKey struct {
	schema *schema.Schema
	key    *schema.Property // or nil
}

// shapeOf describes s. Messages with the same payload share its shape: they may be thousands, and it may be large.
func (b *builder) shapeOf(s *schema.Schema, key *schema.Property) *shape {
	k := shapeKey{s, key}
	if b.shapes[k] == nil {
		b.shapes[k] = (&shaper{names: b.names, types: b.types, key: key, paths: &b.paths}).shape(s)
	}
	return b.shapes[k]
}

// shape describes s.
func (sh *shaper) shape(s *schema.Schema) *shape {
	sh.ids = map[string]int{}
	sh.inside(s, "", 0)
	return &shape{
		Type: sh.typeOf(s), Facts: facts(s), Rows: sh.rows, KeyRow: sh.keyRow,
		words: searchWords(strings.Join(sh.fields, " ")),
	}
}

// typeOf returns the type of s in words.
func (sh *shaper) typeOf(s *schema.Schema) phrase {
	words := sh.bareType(s)
	if acceptsNull(s) {
		words = append(words, link{Text: " or null"})
	}
	return words
}

// acceptsNull reports whether a reader has to be told that s accepts null.
func acceptsNull(s *schema.Schema) bool { return s.Nullable && s.Kind != schema.Any }

// bareType returns the type of s in words, without null.
func (sh *shaper) bareType(s *schema.Schema) phrase {
	switch s.Kind {
	case schema.Ref:
		page := sh.types[s.Target]
		return phrase{{Text: page.Name, Page: page.Page}}
	case schema.Object:
		if !isMap(s) {
			return plain("object")
		}
		if s.AdditionalSchema == nil {
			return plain("map of any JSON values")
		}
		return append(plain("map of "), sh.severalOf(s.AdditionalSchema)...)
	case schema.Array:
		return append(plain("array of "), sh.severalOf(s.Items)...)
	case schema.Any:
		if words, ok := jsonschema.RuleType(s); ok {
			return plain(words)
		}
		return plain("any JSON value")
	case schema.Union:
		variants := "one of " + text.Count(len(s.Branches), "variant")
		if s.Discriminator == "" {
			return plain(variants)
		}
		return plain(variants + ", selected by " + name(s.Discriminator))
	}
	if s.Format != schema.NoFormat {
		return plain(s.Kind.String() + " (" + s.Format.String() + ")")
	}
	return plain(s.Kind.String())
}

func plain(s string) phrase { return phrase{{Text: s}} }

// severalOf returns the type of s in words as it follows "array of" or "map of".
func (sh *shaper) severalOf(s *schema.Schema) phrase {
	words := sh.typeOf(s)
	if acceptsNull(s) {
		return slices.Concat(plain("("), words, plain(")")) // or null would be said of the array
	}
	if words[0].Page != "" {
		return words
	}
	if words[0].Text == "any JSON value" {
		return plain("any JSON values")
	}
	noun, _, _ := strings.Cut(words[0].Text, " ")
	if noun != "one" {
		words[0].Text = noun + "s" + words[0].Text[len(noun):]
	}
	return words
}

// isMap reports whether s is an object of which no field is known by name.
func isMap(s *schema.Schema) bool {
	return s.Kind == schema.Object && len(s.Properties) == 0 && s.Additional == schema.AdditionalKept
}

// inside adds rows for the contents of s, which is at path.
func (sh *shaper) inside(s *schema.Schema, path string, depth int) {
	if sh.isTooLarge() {
		return
	}
	switch s.Kind {
	case schema.Object:
		sh.addFields(s, path, depth)
	case schema.Array:
		sh.addElements(s.Items, path, "[]", depth)
	case schema.Union:
		sh.addVariants(s, path, depth)
	}
}

func (sh *shaper) addFields(s *schema.Schema, path string, depth int) {
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
		sh.fields = append(sh.fields, r.Name)
		sh.inside(p.Schema, prefix+r.Name, depth+1)
	}
	if s.AdditionalSchema != nil {
		sh.addElements(s.AdditionalSchema, prefix, "*", depth)
	}
}

// addElements adds a row for the elements of an array or the values of a map, unless their type says it all.
func (sh *shaper) addElements(s *schema.Schema, path, sign string, depth int) {
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

func (sh *shaper) addVariants(s *schema.Schema, path string, depth int) {
	for i, b := range s.Branches {
		r := row{Depth: depth, Parent: path, Name: name(b.Value), Variant: true, Type: sh.typeOf(b.Schema)}
		r.describe(b.Schema)
		if s.Discriminator == "" {
			r.Name = "variant " + strconv.Itoa(i+1)
		} else {
			when := fact{Text: "when " + name(s.Discriminator) + " is", Codes: []string{name(b.Value)}}
			r.Facts = append([]fact{when}, r.Facts...)
		}
		sh.add(r)
		sh.inside(b.Schema, path, depth+1)
	}
	if s.KeepUnknown {
		sh.add(row{
			Depth: depth, Parent: path, Name: "any other value", Variant: true, Type: plain("object"),
			Description: []string{"Unknown variants are kept as they are."},
		})
	}
}

// describe sets what a schema's annotations and constraints say.
func (r *row) describe(s *schema.Schema) {
	r.Title, r.Description = text.OneLine(s.Title), paragraphs(s.Description)
	r.Deprecated, r.Sensitive = s.Deprecated, text.OneLine(s.Sensitive)
	r.Facts = facts(s)
}

// longestID is about how many bytes of a path and of a name are in an id. Paths can be a hundred times as long, and
// there is an id for each field.
const longestID = 500

// last returns the end of a text.
func last(s string, length int) string { return s[max(0, len(s)-length):] }

// isTooLarge reports whether the paths alone make the pages too large. No more rows are added then.
func (sh *shaper) isTooLarge() bool { return *sh.paths > fileset.MaxTotal }

func (sh *shaper) add(r row) {
	if sh.isTooLarge() {
		return
	}
	*sh.paths += len(r.Parent) + len(r.Name)
	id := "field-" + pagename.Slug(last(r.Parent, longestID)+"-"+last(r.Name, longestID))
	sh.ids[id]++
	if n := sh.ids[id]; n > 1 {
		id = fmt.Sprintf("%s~%d", id, n)
	}
	r.ID = id
	if r.Key {
		sh.keyRow = id
	}
	sh.rows = append(sh.rows, r)
}
