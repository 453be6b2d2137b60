package schema

// Kind is the JSON type of a schema.
type Kind int

// The kinds of schema. A Ref takes its kind from its target.
const (
	Object Kind = iota + 1
	Array
	String
	Integer
	Number
	Boolean
	Ref
	Any   // raw JSON: any value, null included, that the Rules allow
	Union // oneOf with a discriminating const: one of several objects
)

// kindNames are the types of JSON Schema, in the order of the kinds.
var kindNames = []string{"object", "array", "string", "integer", "number", "boolean"}

// String returns the name of the kind in JSON Schema. A kind without one is named after the keyword that makes it.
func (k Kind) String() string {
	switch {
	case k >= Object && k <= Boolean:
		return kindNames[k-Object]
	case k == Any:
		return "any"
	case k == Union:
		return "oneOf"
	}
	return "$ref"
}
