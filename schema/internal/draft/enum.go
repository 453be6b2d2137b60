package draft

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// enumKeyword reads the values of an enum: strings or integers, and null with them. When the schema has a type, it
// decides what the values must be; otherwise they decide the type.
func (r *Reader) enumKeyword(d *Draft, n *source.Node) {
	if !r.IsList(n, "enum") {
		return
	}
	if len(n.Items) == 0 {
		r.Report(n.Pos, schema.RuleEnum, "list the values, or leave enum out", "enum is empty: no value would be valid")
		return
	}
	if r.isEnumRule(d, n) {
		d.ValuesRule = "enum"
		return
	}
	r.enumValues(d, n.Items)
	if d.Types&NullType != 0 && !d.NullInEnum && len(d.Enum) > 0 {
		r.Warn(n.Pos, schema.RuleEnum, `add null to the enum, or take "null" out of the type`,
			"type allows null, enum does not have it: null is not valid")
		d.Types &^= NullType
	}
	if d.NullInEnum && len(d.Enum) == 0 && len(n.Items) == 1 {
		d.ValuesRule, d.valueTypes = "enum", NullType
	}
}

// isEnumRule reports whether Go has no constants for the values of an enum: they are neither strings nor integers, or
// both. It notes their types.
func (r *Reader) isEnumRule(d *Draft, n *source.Node) bool {
	var types TypeSet
	for _, item := range n.Items {
		if item.Kind == source.Bad {
			return false
		}
		types |= typeOfNode(item)
	}
	stated := d.Types &^ NullType
	values := types &^ NullType
	switch {
	case stated == StringType || stated == IntegerType:
		return false // they have to be of that type
	case stated == 0 && (values == StringType || values == IntegerType || values == 0):
		return false
	}
	compact := map[string]int{}
	for _, item := range n.Items {
		v, ok := r.Value(item, schema.RuleEnum, "enum")
		if !ok {
			continue
		}
		if line := compact[string(v.JSON)]; line != 0 {
			r.Report(item.Pos, schema.RuleEnum, "keep one of the two",
				"enum value %s is there already, on line %d", text.Quote(string(v.JSON)), line)
		}
		compact[string(v.JSON)] = item.Pos.Line
	}
	if stated != 0 && values != 0 && values&stated == 0 && !(stated&FractionType != 0 && values&IntegerType != 0) {
		r.Report(n.Pos, schema.RuleEnum, "list values of the type", "no value of the enum is of type %s", d.Types)
	}
	d.valueTypes = types
	return true
}

func (r *Reader) enumValues(d *Draft, items []*source.Node) {
	lines := make(map[schema.EnumValue]int, len(items))
	for _, item := range r.fitting(d, items) {
		value, ok := r.enumValue(d, item)
		if !ok {
			continue
		}
		key := schema.EnumValue{Value: value.Value, Integer: value.Integer}
		if line := lines[key]; line != 0 {
			r.Report(item.Pos, schema.RuleEnum, "keep one of the two",
				"enum value %s is there already, on line %d", describeEnumValue(value), line)
			continue
		}
		lines[key] = item.Pos.Line
		d.Enum = append(d.Enum, value)
	}
}

// fitting returns the values without those that are not of the type of the enum and alike: they are one finding.
func (r *Reader) fitting(d *Draft, items []*source.Node) []*source.Node {
	want, what, hint := StringType, "string", "quote them if they are text, or take the type out"
	if d.Types&IntegerType != 0 {
		want, what, hint = IntegerType, "integer", "remove the quotes if they are numbers, or take the type out"
	}
	isOther := func(n *source.Node) bool {
		is := typeOfNode(n)
		return n.Kind != source.Bad && d.Types != 0 && is != want && is != NullType
	}
	other := map[TypeSet][]*source.Node{}
	for _, item := range items {
		if isOther(item) {
			other[typeOfNode(item)] = append(other[typeOfNode(item)], item)
		}
	}
	for _, alike := range other {
		if len(alike) > 1 {
			r.Report(alike[0].Pos, schema.RuleWrongType, hint, "%d values of the enum are not of type %s: the first is %s",
				len(alike), what, alike[0].Describe())
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(n *source.Node) bool {
		return isOther(n) && len(other[typeOfNode(n)]) > 1
	})
}

// enumValue reads one value. Null is noted and is not a value.
func (r *Reader) enumValue(d *Draft, n *source.Node) (schema.EnumValue, bool) {
	isNull := n.IsText("null")
	switch {
	case isNull && d.NullInEnum:
		r.Report(n.Pos, schema.RuleEnum, "keep one of the two", "null is in the enum twice")
		return schema.EnumValue{}, false
	case isNull && (d.Types == 0 || d.Types&NullType != 0):
		d.NullInEnum = true
		return schema.EnumValue{}, false
	case isNull && d.Types&IntegerType != 0:
		r.Report(n.Pos, schema.RuleEnum, `[integer, "null"] allows it`, "null is not of type integer")
		return schema.EnumValue{}, false
	case isNull:
		r.Report(n.Pos, schema.RuleWrongType, `quote it: "null"; for null itself, the type is [string, "null"]`,
			"an enum value must be a string, this is null")
		return schema.EnumValue{}, false
	case d.Types&IntegerType != 0, d.Types == 0 && isPlainNumber(n):
		return r.enumInteger(n)
	}
	value, ok := r.Text(n, "an enum value")
	return schema.EnumValue{Value: value, Pos: n.Pos}, ok
}

func isPlainNumber(n *source.Node) bool {
	return n.Kind == source.Scalar && n.Plain && source.ClassifyPlain(n.Text) == source.PlainNumber
}

func (r *Reader) enumInteger(n *source.Node) (schema.EnumValue, bool) {
	if !isPlainNumber(n) {
		if n.Kind != source.Bad {
			hint := ""
			if !n.Plain && source.IsWhole(n.Text) {
				hint = "remove the quotes"
			}
			r.Report(n.Pos, schema.RuleWrongType, hint, "an enum value must be an integer, this is %s", n.Describe())
		}
		return schema.EnumValue{}, false
	}
	num := r.Number(n, "an enum value")
	if num == nil {
		return schema.EnumValue{}, false
	}
	whole, ok := source.WholeText(num.Text)
	if !ok {
		r.Report(n.Pos, schema.RuleEnum, "quote it if it is text",
			"an enum value must be a string or an integer, this is %s", n.Describe())
	}
	return schema.EnumValue{Value: whole, Integer: true, Pos: n.Pos}, ok
}

func describeEnumValue(v schema.EnumValue) string {
	if v.Integer {
		return text.Short(v.Value)
	}
	return text.Quote(v.Value)
}
