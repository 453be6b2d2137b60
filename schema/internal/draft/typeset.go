package draft

import (
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// A TypeSet is a set of JSON types. Zero means that no type was given.
type TypeSet uint8

// The types.
const (
	ObjectType TypeSet = 1 << iota
	ArrayType
	StringType
	IntegerType
	FractionType // numbers that are not integers
	BooleanType
	NullType

	NumberType = IntegerType | FractionType
	EveryType  = NullType<<1 - 1
)

// typeNames are the values of type.
var typeNames = map[string]TypeSet{
	"object": ObjectType, "array": ArrayType, "string": StringType, "integer": IntegerType, "number": NumberType,
	"boolean": BooleanType, "null": NullType,
}

// TypeNames are the values of type, in the order in which hints list them.
var TypeNames = []string{"object", "array", "string", "integer", "number", "boolean", "null"}

// Kind returns the kind of the one type that the set has besides null, or zero.
func (t TypeSet) Kind() schema.Kind {
	switch t &^ NullType {
	case ObjectType:
		return schema.Object
	case ArrayType:
		return schema.Array
	case StringType:
		return schema.String
	case IntegerType:
		return schema.Integer
	case NumberType, FractionType:
		return schema.Number
	case BooleanType:
		return schema.Boolean
	}
	return 0
}

// String names the types for a message.
func (t TypeSet) String() string {
	var names []string
	if t&FractionType != 0 {
		t |= IntegerType
	}
	for _, name := range TypeNames {
		set := typeNames[name]
		if t&set == set && !(name == "integer" && t&FractionType != 0) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}
