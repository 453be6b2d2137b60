package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// constKeyword reads the one valid value: a string, a number or a boolean.
func (r *Reader) constKeyword(d *Draft, n *source.Node) {
	if n.Kind != source.Scalar || n.Plain && source.ClassifyPlain(n.Text) == source.PlainNull {
		if n.Kind != source.Bad {
			r.Report(n.Pos, schema.RuleConst, "leave it out, and say in the description what is sent",
				"const must be a string, a number or a boolean, this is %s", n.Describe())
		}
		return
	}
	if d.Types&StringType != 0 {
		if _, ok := r.Text(n, "const"); !ok {
			return
		}
	}
	value, ok := r.Value(n, schema.RuleConst, "const")
	if !ok {
		return
	}
	is := LiteralType(n)
	switch {
	case d.Types != 0 && d.Types&is == 0:
		hint := ""
		if !n.Plain && source.IsNumber(n.Text) || n.IsQuoted("true", "false") {
			hint = "remove the quotes"
		}
		r.Report(n.Pos, schema.RuleConst, hint,
			"const must be of type %s, this is %s", d.Types&^NullType, n.Describe())
		return
	case d.Types&NullType != 0:
		r.Report(n.Pos, schema.RuleConst, `take "null" out of the type`, "type allows null, const does not")
		return
	case is == IntegerType:
		whole, _ := source.WholeText(n.Text)
		value.JSON = []byte(whole)
	}
	d.Const = &value.Literal
}

// LiteralType returns the type of a scalar that was read as a [Value].
func LiteralType(n *source.Node) TypeSet {
	if !n.Plain {
		return StringType
	}
	switch source.ClassifyPlain(n.Text) {
	case source.PlainBool:
		return BooleanType
	case source.PlainNumber:
		if _, whole := source.WholeText(n.Text); whole {
			return IntegerType
		}
		return FractionType
	case source.PlainNull:
		return NullType
	}
	return StringType
}

// ValueTypes returns the types of the values that const and enum of a draft allow, or zero when it has neither.
func (d *Draft) ValueTypes() TypeSet {
	var types TypeSet
	switch {
	case d.Const != nil:
		return constType(string(d.Const.JSON))
	case len(d.Enum) > 0 && d.Enum[0].Integer:
		types = IntegerType
	case len(d.Enum) > 0:
		types = StringType
	}
	if d.NullInEnum {
		types |= NullType
	}
	return types
}

// constType returns the type of a const by its JSON.
func constType(compact string) TypeSet {
	switch {
	case compact[0] == '"':
		return StringType
	case compact == "true", compact == "false":
		return BooleanType
	case source.IsWhole(compact):
		return IntegerType
	}
	return FractionType
}
