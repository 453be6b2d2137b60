package schema

import "slices"

// keywords are those of JSON Schema that a payload may use, with the kind they belong to; 0 is all.
var keywords = []struct {
	name string
	kind Kind
}{
	{"type", 0}, {"description", 0}, {"$ref", 0},
	{"properties", Object}, {"required", Object},
	{"items", Array},
	{"enum", String}, {"format", String},
}

// unsupported are the other keywords of JSON Schema 2020-12, some of its older versions and of OpenAPI, with
// what to do instead where there is something.
var unsupported = map[string]string{
	"$id": noIDs, "$schema": noIDs, "$anchor": noIDs, "$dynamicRef": sharedTypes, "$dynamicAnchor": noIDs, "$vocabulary": noIDs,
	"$comment": "write a YAML comment, or a description", "$defs": sharedTypes, "definitions": sharedTypes,
	"allOf": "write the properties out, or put them in a type under types", "anyOf": oneURNEach, "oneOf": oneURNEach,
	"not": inDescription, "if": inDescription, "then": inDescription, "else": inDescription,
	"dependentSchemas": inDescription, "dependentRequired": inDescription, "dependencies": inDescription,
	"prefixItems": "use an object with named properties", "contains": inDescription, "minContains": inDescription, "maxContains": inDescription,
	"patternProperties": namedProperties, "additionalProperties": namedProperties, "propertyNames": namedProperties,
	"unevaluatedItems": namedProperties, "unevaluatedProperties": namedProperties,
	"const": "use enum with one value", "multipleOf": inDescription,
	"maximum": inDescription, "exclusiveMaximum": inDescription, "minimum": inDescription, "exclusiveMinimum": inDescription,
	"maxLength": inDescription, "minLength": inDescription, "pattern": inDescription,
	"maxItems": inDescription, "minItems": inDescription, "uniqueItems": inDescription,
	"maxProperties": inDescription, "minProperties": inDescription,
	"title": "use description", "default": inDescription, "deprecated": inDescription,
	"readOnly": inDescription, "writeOnly": inDescription,
	"examples": "put examples under the URN", "example": "put examples under the URN",
	"contentEncoding": inDescription, "contentMediaType": inDescription, "contentSchema": inDescription,
	"nullable": "leave an optional property out of required", "discriminator": oneURNEach,
	"xml": "", "externalDocs": inDescription,
}

const (
	sharedTypes     = "put shared schemas under types and refer to them as #/types/NAME"
	oneURNEach      = "give each form a URN of its own"
	namedProperties = "list the members under properties; others are ignored"
	inDescription   = "say it in the description"
	noIDs           = "leave it out"
)

// keyword checks that a keyword is known, supported and on a schema of its kind.
func (l *loader) keyword(s *Schema, p pair) {
	name := p.key.text
	for _, k := range keywords {
		if k.name != name {
			continue
		}
		// The frequent slip of required: true on a property is reported as such, once.
		slip := name == "required" && p.value.kind == scalarNode
		if k.kind != 0 && s.Kind != 0 && s.Kind != k.kind && !slip {
			hint := ""
			if name == "enum" {
				hint = "only strings can be enumerated"
			}
			l.report(p.key.pos, ruleMisplacedKeyword, hint, "%s belongs to type %s, this is %s", name, k.kind, s.Kind)
		}
		return
	}
	l.foreignKeyword(p.key)
}

// foreignKeyword reports a keyword that a payload cannot have.
func (l *loader) foreignKeyword(key *node) {
	var names []string
	for _, k := range keywords {
		names = append(names, k.name)
	}
	if instead, known := unsupported[key.text]; known {
		l.report(key.pos, ruleUnsupportedKeyword, instead, "keyword %s is not supported", key.text)
		return
	}
	hint := "supported: " + list(names)
	if near := nearest(key.text, names); near != "" {
		hint = "did you mean " + near + "? " + hint
	} else if near := nearest(key.text, unsupportedNames()); near != "" {
		hint = near + " is not supported either; " + hint
	}
	l.report(key.pos, ruleUnknownKeyword, hint, "unknown keyword %s", quote(key.text))
}

func unsupportedNames() []string {
	var names []string
	for name := range unsupported {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
