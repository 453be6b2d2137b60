package catfmt

import "slices"

// A role is what a mapping or a list is in a catalog, as far as the order of its keys is concerned.
type role int

const (
	asItIs role = iota // keys keep their order: names, and payloads in examples
	catalogRole
	infoRole
	queuesRole
	queueRole
	typesRole // a mapping of names to schemas
	urnsRole
	urnRole
	deprecatedRole
	schemaRole
	schemasRole // a list of schemas
)

// orders are the keys of each role in their canonical order. Other keys come last and keep their order.
var orders = map[role][]string{
	catalogRole: {"bqgen", "package", "info", "lint", "queues", "types", "urns"},
	infoRole:    {"title", "owner", "description"},
	queueRole:   {"description", "topic", "max_attempts", "dead_letter", "services", "name"},
	urnRole: {
		"queue", "name", "summary", "description", "key", "deprecated", "publishers", "consumers", "data", "examples",
	},
	deprecatedRole: {"use", "reason"},
	schemaRole: {
		"$ref", "title", "description", "type", "format", "const", "enum", "default", "deprecated",
		"x-go-name", "x-go-type", "x-gdpr-sensitive", "readOnly", "writeOnly",
		"minLength", "maxLength", "pattern",
		"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
		"minItems", "maxItems", "uniqueItems", "items",
		"required", "minProperties", "maxProperties", "properties", "additionalProperties",
		"x-unknown-branch", "oneOf", "allOf", "examples", "$defs",
	},
}

// below returns the role of the value of a key.
func (r role) below(key string) role {
	switch r {
	case catalogRole:
		return map[string]role{"info": infoRole, "queues": queuesRole, "types": typesRole, "urns": urnsRole}[key]
	case queuesRole:
		return queueRole
	case urnsRole:
		return urnRole
	case typesRole:
		return schemaRole
	case urnRole:
		return map[string]role{"deprecated": deprecatedRole, "data": schemaRole}[key]
	case schemaRole:
		return map[string]role{
			"properties": typesRole, "$defs": typesRole, "items": schemaRole, "additionalProperties": schemaRole,
			"oneOf": schemasRole, "allOf": schemasRole,
		}[key]
	}
	return asItIs
}

// item returns the role of the items of a list.
func (r role) item() role {
	if r == schemasRole {
		return schemaRole
	}
	return asItIs
}

// rank returns where a key belongs. Keys that are not listed come last.
func (r role) rank(key string) int {
	order := orders[r]
	if i := slices.Index(order, key); i >= 0 {
		return i
	}
	return len(order)
}
