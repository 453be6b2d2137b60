package schema

import (
	"slices"
	"strings"
)

// keywords are those of JSON Schema that a payload may use, with the types that they say something about; zero is
// all. Their order is the one of lists in hints.
var keywords = []struct {
	name  string
	types typeSet
}{
	{"type", 0}, {"title", 0}, {"description", 0}, {"$ref", 0}, {"$defs", 0},
	{"properties", objectType}, {"required", objectType}, {"additionalProperties", objectType},
	{"minProperties", objectType}, {"maxProperties", objectType},
	{"items", arrayType}, {"minItems", arrayType}, {"maxItems", arrayType}, {"uniqueItems", arrayType},
	{"enum", stringType | integerType}, {"const", stringType | numberType | booleanType},
	{"format", stringType | numberType},
	{"minLength", stringType}, {"maxLength", stringType}, {"pattern", stringType},
	{"minimum", numberType}, {"maximum", numberType}, {"exclusiveMinimum", numberType}, {"exclusiveMaximum", numberType}, {"multipleOf", numberType},
	{"allOf", 0}, {"oneOf", 0},
	{"default", 0}, {"examples", 0}, {"deprecated", 0}, {"readOnly", 0}, {"writeOnly", 0},
	{"x-go-name", 0}, {"x-go-type", 0}, {"x-gdpr-sensitive", 0}, {"x-unknown-branch", 0},
}

var keywordTypes = func() map[string]typeSet {
	types := make(map[string]typeSet, len(keywords))
	for _, k := range keywords {
		types[k.name] = k.types
	}
	return types
}()

// annotations say something about a value without saying which values are valid.
var annotations = []string{"title", "description", "$defs", "default", "examples", "deprecated", "readOnly", "writeOnly", "x-go-name", "x-go-type", "x-gdpr-sensitive"}

// unsupported are the other keywords of JSON Schema 2020-12, some of its older versions and of OpenAPI, with
// what to use instead.
var unsupported = map[string]string{
	"$id": noIDs, "id": noIDs, "$schema": noIDs, "$anchor": noIDs, "$dynamicAnchor": noIDs, "$recursiveAnchor": noIDs, "$vocabulary": noIDs,
	"$dynamicRef": "use $ref", "$recursiveRef": "use $ref",
	"$comment":    "write a YAML comment, or a description",
	"definitions": "use $defs, or put shared schemas under types and $ref them as #/types/NAME",
	"anyOf":       `use oneOf with a discriminating const; for a value that may be null, oneOf with {type: "null"}`,
	"not":         inDescription, "if": oneOfForms, "then": oneOfForms, "else": oneOfForms,
	"dependentSchemas": oneOfForms, "dependentRequired": oneOfForms, "dependencies": oneOfForms,
	"prefixItems": "use an object with properties", "additionalItems": "use items", "unevaluatedItems": "use items",
	"contains": "use items", "minContains": "use minItems", "maxContains": "use maxItems",
	"patternProperties": "use additionalProperties", "propertyNames": "use additionalProperties", "unevaluatedProperties": "use additionalProperties",
	"example":         "use examples, a list",
	"contentEncoding": "use format: byte for base64", "contentMediaType": inDescription, "contentSchema": inDescription,
	"nullable": `use type with "null": [string, "null"]`, "discriminator": "use oneOf: the property whose const differs is the discriminator",
	"divisibleBy": "use multipleOf", "extends": "use allOf", "disallow": inDescription,
	"xml": "leave it out", "externalDocs": inDescription,
	"x-nullable": `use type with "null": [string, "null"]`, "x-enum-varnames": "use enum: the constants are named after the values",
}

const (
	oneOfForms    = "use oneOf with a discriminating const, one branch for each form"
	inDescription = "use description: say it in words"
	noIDs         = "leave it out: a schema is referred to by $ref to #/types/NAME or #/$defs/NAME"
)

// foreignKeyword reports a keyword that a payload cannot have. near are the types that the schema has, as far
// as that is known.
func (l *loader) foreignKeyword(key *node, types typeSet) {
	if instead, known := unsupported[key.text]; known {
		l.report(key.pos, ruleUnsupportedKeyword, instead, "keyword %s is not supported", key.text)
		return
	}
	l.report(key.pos, ruleUnknownKeyword, keywordHint(key.text, types), "unknown keyword %s", quote(key.text))
}

func keywordHint(name string, types typeSet) string {
	var names, fitting []string
	for _, k := range keywords {
		names = append(names, k.name)
		if k.types != 0 && k.types&types != 0 {
			fitting = append(fitting, k.name)
		}
	}
	if near := nearest(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	other := slices.Sorted(func(yield func(string) bool) {
		for name := range unsupported {
			if !yield(name) {
				return
			}
		}
	})
	if near := nearest(name, other); near != "" {
		return near + " is not supported either: " + unsupported[near]
	}
	if types == 0 || len(fitting) == 0 {
		fitting = names
	}
	if strings.HasPrefix(name, "x-") {
		fitting = []string{"x-go-name", "x-go-type", "x-gdpr-sensitive", "x-unknown-branch"}
	}
	return "supported here: " + list(fitting)
}

// misplaced reports the keywords of a draft that say nothing about values of kind k.
func (b *builder) misplaced(d *draft, k Kind, types typeSet) {
	for _, p := range d.node.pairs {
		fits := keywordTypes[p.key.text]
		if fits == 0 || fits&types != 0 {
			continue
		}
		// The frequent slip of required: true on a property is reported as such, once.
		if p.key.text == "required" && p.value.kind == scalarNode {
			continue
		}
		hint := ""
		if p.key.text == "enum" {
			hint = "only strings and integers can be enumerated"
		}
		b.report(p.key.pos, ruleMisplacedKeyword, hint, "%s belongs to type %s, this is %s", p.key.text, fits, k)
	}
}
