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

// typeKeyword reads type: a name, or a list of names.
func (r *Reader) typeKeyword(d *Draft, n *source.Node) {
	if n.Kind != source.Sequence {
		d.Types = r.typeName(n)
		return
	}
	var types TypeSet
	for _, item := range n.Items {
		one := r.typeName(item)
		switch {
		case one == 0:
			return
		case types&one == one && one != IntegerType: // an integer is a number as well
			r.Report(item.Pos, schema.RuleUnknownType, "keep one of the two", "type %s stands twice", one)
			return
		}
		types |= one
	}
	if types == 0 {
		r.Report(n.Pos, schema.RuleUnknownType, "type: one of "+text.List(TypeNames), "type is empty")
	}
	d.Types = types
}

// typeName reads the name of a type. It returns zero when it is none.
func (r *Reader) typeName(n *source.Node) TypeSet {
	if n.Kind == source.Scalar && n.Plain && source.ClassifyPlain(n.Text) == source.PlainNull && n.Text != "" {
		r.Report(n.Pos, schema.RuleUnknownType, `quote it: "null"`, "a type must be a string, this is %s", n.Describe())
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
