package draft

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// otherTypeNames are the names of types in other schema languages and in programming languages.
var otherTypeNames = map[string]string{
	"map": "object", "struct": "object", "dict": "object", "record": "object",
	"list": "array", "set": "array", "sequence": "array", "slice": "array",
	"str": "string", "text": "string", "enum": "string", "char": "string",
	"int": "integer", "long": "integer", "short": "integer", "bigint": "integer",
	"int32": "integer with format: int32", "int64": "integer with format: int64",
	"uint64": "integer with format: uint64",
	"float":  "number with format: float", "double": "number", "float32": "number with format: float",
	"float64": "number", "real": "number",
	"bool":      "boolean",
	"date-time": "string with format: date-time", "datetime": "string with format: date-time",
	"timestamp": "string with format: date-time",
	"date":      "string with format: date", "time": "string with format: time",
	"duration": "string with format: duration",
	"uuid":     "string with format: uuid", "decimal": "string with format: decimal",
	"bytes": "string with format: byte", "byte": "string with format: byte",
	"uri": "string with format: uri", "email": "string with format: email",
	"any": "{}, which is any value",
}

// typeKeyword reads type: a name, or a list of one and null.
func (r *Reader) typeKeyword(d *Draft, n *source.Node) {
	if n.Kind != source.Sequence {
		d.Types = r.typeName(n)
		return
	}
	var types TypeSet
	for _, item := range n.Items {
		if item.IsQuoted("null") {
			if types&NullType != 0 {
				r.Report(item.Pos, schema.RuleUnknownType, "keep one of the two", "type null stands twice")
				return
			}
			types |= NullType
			continue
		}
		if item.Kind == source.Scalar && item.Plain && source.ClassifyPlain(item.Text) == source.PlainNull {
			r.Report(item.Pos, schema.RuleUnknownType, `quote it: "null"`,
				"a type must be a string, this is %s", item.Describe())
			return
		}
		one := r.typeName(item)
		switch {
		case one == 0:
			return
		case types&^NullType != 0:
			r.Report(item.Pos, schema.RuleUnknownType, `give one type, or one and "null"; objects of several forms `+
				`are a oneOf with a discriminating const, {} is any value`,
				"several types in one schema are not supported")
			return
		}
		types |= one
	}
	if types&^NullType == 0 {
		r.Report(n.Pos, schema.RuleUnknownType, "type: one of "+text.List(TypeNames), "type has no type beside null")
		return
	}
	d.Types = types
}

// typeName reads the name of a type. It returns zero when it is none.
func (r *Reader) typeName(n *source.Node) TypeSet {
	if n.Kind == source.Scalar && n.Text == "null" {
		r.Report(n.Pos, schema.RuleUnknownType,
			`for a value that may be null, name its type as well: [string, "null"]`, "type null alone is not supported")
		return 0
	}
	name, ok := r.Text(n, "type")
	if !ok {
		return 0
	}
	if t := typeNames[name]; t != 0 {
		return t
	}
	hint := near.DidYouMean(name, TypeNames, "supported: "+text.List(TypeNames))
	if other := otherTypeNames[strings.ToLower(name)]; other != "" {
		hint = "use " + other
	}
	r.Report(n.Pos, schema.RuleUnknownType, hint, "unknown type %s", text.Quote(name))
	return 0
}
