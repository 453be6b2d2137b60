package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// constKeyword reads the one valid value. Null, a list or an object are a rule; Go has no constants of those.
func (r *Reader) constKeyword(d *Draft, n *source.Node) {
	if n.Kind != source.Scalar || n.IsText("null") {
		if _, ok := r.Value(n, schema.RuleConst, "const"); ok {
			d.ValuesRule, d.valueTypes = "const", typeOfNode(n)
			if d.Types&^d.valueTypes == d.Types && d.Types != 0 {
				r.Report(n.Pos, schema.RuleConst, "", "const must be of type %s, this is %s", d.Types, n.Describe())
			}
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
	case is == IntegerType:
		whole, _ := source.WholeText(n.Text)
		value.JSON = []byte(whole)
	}
	d.Const = &value.Literal
	if d.Types != 0 {
		d.Types &= is // what else it allows, const does not
		if is == IntegerType && d.Types != 0 {
			d.Types = IntegerType
		}
	}
}

// typeOfNode returns the type of a value.
func typeOfNode(n *source.Node) TypeSet {
	switch n.Kind {
	case source.Mapping:
		return ObjectType
	case source.Sequence:
		return ArrayType
	}
	return LiteralType(n)
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
	case d.ValuesRule != "":
		return d.valueTypes
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
