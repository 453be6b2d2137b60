package schema

import "strings"

// A typeSet is a set of JSON types. Zero means that none was said.
type typeSet uint8

const (
	objectType typeSet = 1 << iota
	arrayType
	stringType
	integerType
	fractionType // numbers that are no integers
	booleanType
	nullType

	numberType = integerType | fractionType
	everyType  = 1<<7 - 1
)

var kindNames = map[string]typeSet{
	"object": objectType, "array": arrayType, "string": stringType, "integer": integerType, "number": numberType, "boolean": booleanType,
}

var kindList = []string{"object", "array", "string", "integer", "number", "boolean"}

// String is the name that JSON Schema has for the kind; those without one are named by the keyword that makes them.
func (k Kind) String() string {
	switch {
	case k >= Object && k <= Boolean:
		return kindList[k-Object]
	case k == Any:
		return "any"
	case k == Union:
		return "oneOf"
	}
	return "$ref"
}

// kind is the one type that the set has beside null, or zero.
func (t typeSet) kind() Kind {
	switch t &^ nullType {
	case objectType:
		return Object
	case arrayType:
		return Array
	case stringType:
		return String
	case integerType:
		return Integer
	case numberType, fractionType:
		return Number
	case booleanType:
		return Boolean
	}
	return 0
}

// String names the types for a message.
func (t typeSet) String() string {
	var names []string
	if t&fractionType != 0 {
		t |= integerType
	}
	for _, name := range kindList {
		set := kindNames[name]
		if t&set == set && !(name == "integer" && t&fractionType != 0) {
			names = append(names, name)
		}
	}
	if t&nullType != 0 {
		names = append(names, "null")
	}
	return strings.Join(names, " or ")
}

// otherNames are what other schema languages and programming languages call the types.
var otherNames = map[string]string{
	"map": "object", "struct": "object", "dict": "object", "record": "object",
	"list": "array", "set": "array", "sequence": "array", "slice": "array",
	"str": "string", "text": "string", "enum": "string", "char": "string",
	"int": "integer", "long": "integer", "short": "integer", "bigint": "integer",
	"int32": "integer with format: int32", "int64": "integer with format: int64", "uint64": "integer with format: uint64",
	"float": "number with format: float", "double": "number", "float32": "number with format: float", "float64": "number", "real": "number",
	"bool":      "boolean",
	"date-time": "string with format: date-time", "datetime": "string with format: date-time", "timestamp": "string with format: date-time",
	"date": "string with format: date", "time": "string with format: time", "duration": "string with format: duration",
	"uuid": "string with format: uuid", "decimal": "string with format: decimal", "bytes": "string with format: byte", "byte": "string with format: byte",
	"uri": "string with format: uri", "email": "string with format: email",
	"any": "{}, which is any value",
}

// typeKeyword reads type: a name, or a list of one and null.
func (l *loader) typeKeyword(d *draft, n *node) {
	if n.kind != sequenceNode {
		d.types = l.typeName(n)
		return
	}
	var types typeSet
	for _, item := range n.items {
		if item.kind == scalarNode && !item.plain && item.text == "null" {
			if types&nullType != 0 {
				l.report(item.pos, ruleUnknownType, "keep one of the two", "type null stands twice")
				return
			}
			types |= nullType
			continue
		}
		if item.kind == scalarNode && item.plain && classifyPlain(item.text) == plainNull {
			l.report(item.pos, ruleUnknownType, `quote it: "null"`, "a type must be a string, this is %s", item.describe())
			return
		}
		one := l.typeName(item)
		switch {
		case one == 0:
			return
		case types&^nullType != 0:
			l.report(item.pos, ruleUnknownType, `give one type, or one and "null"; objects of several forms are a oneOf with a discriminating const, {} is any value`,
				"several types in one schema are not supported")
			return
		}
		types |= one
	}
	if types&^nullType == 0 {
		l.report(n.pos, ruleUnknownType, "type: one of "+list(kindList), "type has no type beside null")
		return
	}
	d.types = types
}

// typeName reads the name of a type; zero when it is none.
func (l *loader) typeName(n *node) typeSet {
	if n.kind == scalarNode && n.text == "null" {
		l.report(n.pos, ruleUnknownType, `for a value that may be null, name its type as well: [string, "null"]`, "type null alone is not supported")
		return 0
	}
	name, ok := l.text(n, "type")
	if !ok {
		return 0
	}
	if t := kindNames[name]; t != 0 {
		return t
	}
	hint := "supported: " + list(kindList)
	if near := otherNames[strings.ToLower(name)]; near != "" {
		hint = "use " + near
	} else if near := nearest(name, kindList); near != "" {
		hint = "did you mean " + near + "?"
	}
	l.report(n.pos, ruleUnknownType, hint, "unknown type %s", quote(name))
	return 0
}
