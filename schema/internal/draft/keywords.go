package draft

import (
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A Keyword is a keyword that a payload schema may have, with the types of values that it constrains; zero is all
// types.
type Keyword struct {
	Name  string
	Types TypeSet
}

// Keywords are all keywords, in the order in which hints list them.
var Keywords = []Keyword{
	{"type", 0}, {"title", 0}, {"description", 0}, {"$ref", 0}, {"$defs", 0},
	{"properties", ObjectType}, {"required", ObjectType}, {"additionalProperties", ObjectType},
	{"minProperties", ObjectType}, {"maxProperties", ObjectType},
	{"items", ArrayType}, {"minItems", ArrayType}, {"maxItems", ArrayType}, {"uniqueItems", ArrayType},
	{"enum", 0}, {"const", 0},
	{"format", StringType | NumberType},
	{"minLength", StringType}, {"maxLength", StringType}, {"pattern", StringType},
	{"minimum", NumberType}, {"maximum", NumberType},
	{"exclusiveMinimum", NumberType}, {"exclusiveMaximum", NumberType}, {"multipleOf", NumberType},
	{"allOf", 0}, {"oneOf", 0}, {"anyOf", 0}, {"not", 0}, {"if", 0}, {"then", 0}, {"else", 0},
	{"prefixItems", ArrayType}, {"contains", ArrayType}, {"minContains", ArrayType}, {"maxContains", ArrayType},
	{"unevaluatedItems", ArrayType},
	{"patternProperties", ObjectType}, {"propertyNames", ObjectType}, {"dependentRequired", ObjectType},
	{"dependentSchemas", ObjectType}, {"unevaluatedProperties", ObjectType},
	{"default", 0}, {"examples", 0}, {"deprecated", 0}, {"readOnly", 0}, {"writeOnly", 0},
	{"contentEncoding", 0}, {"contentMediaType", 0}, {"contentSchema", 0},
	{"$comment", 0}, {"$id", 0}, {"$anchor", 0}, {"$schema", 0},
	{"x-go-name", 0}, {"x-go-type", 0}, {"x-gdpr-sensitive", 0}, {"x-unknown-branch", 0},
}

var keywordTypes = func() map[string]TypeSet {
	types := make(map[string]TypeSet, len(Keywords))
	for _, k := range Keywords {
		types[k.Name] = k.Types
	}
	return types
}()

// TypesOf returns the types that a keyword constrains; zero is all types. It reports false when there is no such
// keyword.
func TypesOf(keyword string) (types TypeSet, ok bool) {
	types, ok = keywordTypes[keyword]
	return types, ok
}

// annotations describe a value without limiting which values are valid.
var annotations = []string{
	"title", "description", "$defs", "default", "examples", "deprecated",
	"x-go-name", "x-go-type", "x-gdpr-sensitive",
}

func isAnnotation(name string) bool {
	return slices.Contains(annotations, name) || slices.Contains(passedOn, name) ||
		slices.Contains(identities, name) || isForeign(name)
}

// unsupported are the other keywords of JSON Schema 2020-12, some of its older versions and of OpenAPI, with what to
// use instead.
var unsupported = map[string]string{
	"id": noIDs, "$dynamicAnchor": noIDs,
	"$recursiveAnchor": noIDs, "$vocabulary": noIDs,
	"$dynamicRef": "use $ref", "$recursiveRef": "use $ref",
	"definitions":     "use $defs, or put shared schemas under types and $ref them as #/types/NAME",
	"dependencies":    "use dependentRequired, or dependentSchemas",
	"additionalItems": "use items, which applies to the items after prefixItems",
	"example":         "use examples, a list",
	"nullable":        nullableType,
	"discriminator":   "use oneOf: the property whose const differs is the discriminator",
	"divisibleBy":     "use multipleOf", "extends": "use allOf", "disallow": inDescription,
	"xml": "leave it out", "externalDocs": inDescription,
	"x-nullable": nullableType,
}

const (
	inDescription = "use description: say it in words"
	noIDs         = "leave it out: a schema is referred to by $ref to #/types/NAME or #/$defs/NAME"
	nullableType  = `use type with "null": [string, "null"]`
)

// unknownKeyword reports a keyword that a payload cannot have. types are those that the schema has, as far as they are
// known.
func (r *Reader) unknownKeyword(key *source.Node, types TypeSet) {
	if instead, known := unsupported[key.Text]; known {
		r.Report(key.Pos, schema.RuleUnsupportedKeyword, instead, "keyword %s is not supported", key.Text)
		return
	}
	r.Report(key.Pos, schema.RuleUnknownKeyword, keywordHint(key.Text, types),
		"unknown keyword %s", text.Quote(key.Text))
}

func keywordHint(name string, types TypeSet) string {
	var names, fitting []string
	for _, k := range Keywords {
		names = append(names, k.Name)
		if k.Types != 0 && k.Types&types != 0 {
			fitting = append(fitting, k.Name)
		}
	}
	if nearest := near.Nearest(name, names); nearest != "" {
		return "did you mean " + text.Quote(nearest) + "?"
	}
	if nearest := near.Nearest(name, unsupportedNames()); nearest != "" {
		return nearest + " is not supported either: " + unsupported[nearest]
	}
	if types == 0 || len(fitting) == 0 {
		fitting = names
	}
	if strings.HasPrefix(name, "x-") {
		fitting = []string{"x-go-name", "x-go-type", "x-gdpr-sensitive", "x-unknown-branch"}
	}
	return "supported here: " + text.List(fitting)
}

func unsupportedNames() []string {
	names := make([]string, 0, len(unsupported))
	for name := range unsupported {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
