package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// enumKeyword reads the values of an enum: strings or integers, and null beside them. The type, when the schema
// says it, decides what they must be; else they decide the type.
func (l *loader) enumKeyword(d *draft, n *node) {
	if !l.isList(n, "enum") {
		return
	}
	if len(n.items) == 0 {
		l.report(n.pos, ruleEnum, "list the values, or leave enum out", "enum is empty: no value would be valid")
		return
	}
	if d.types&(arrayType|objectType|booleanType) != 0 || d.types&numberType == numberType {
		if d.types&numberType == numberType {
			l.report(n.pos, ruleEnum, "use type: integer, or minimum and maximum", "only strings and integers can be enumerated, this is of type number")
		}
		return // else misplaced
	}
	lines := make(map[EnumValue]int, len(n.items))
	for _, item := range n.items {
		value, ok := l.enumValue(d, item)
		if !ok {
			continue
		}
		key := EnumValue{Value: value.Value, Integer: value.Integer}
		if line := lines[key]; line != 0 {
			l.report(item.pos, ruleEnum, "keep one of the two", "enum value %s is there already, on line %d", value.describe(), line)
			continue
		}
		lines[key] = item.pos.Line
		if len(d.Enum) > 0 && d.Enum[0].Integer != value.Integer {
			l.report(item.pos, ruleEnum, "keep to one type", "an enum cannot have strings and integers")
			continue
		}
		d.Enum = append(d.Enum, value)
	}
	if d.types&nullType != 0 && !d.enumNull && len(d.Enum) > 0 {
		l.report(n.pos, ruleEnum, `add null to the enum, or take "null" out of the type`, "type allows null, enum does not have it")
	}
	if d.enumNull && len(d.Enum) == 0 && len(n.items) == 1 {
		l.report(n.pos, ruleEnum, "list the other values", "enum has no value but null")
	}
}

// enumValue reads one value. Null is noted and is none.
func (l *loader) enumValue(d *draft, n *node) (EnumValue, bool) {
	isNull := n.kind == scalarNode && n.plain && n.text == "null"
	switch {
	case isNull && d.enumNull:
		l.report(n.pos, ruleEnum, "keep one of the two", "null is in the enum twice")
		return EnumValue{}, false
	case isNull && (d.types == 0 || d.types&nullType != 0):
		d.enumNull = true
		return EnumValue{}, false
	case isNull && d.types&integerType != 0:
		l.report(n.pos, ruleEnum, `[integer, "null"] allows it`, "null is not of type integer")
		return EnumValue{}, false
	case isNull:
		l.report(n.pos, ruleWrongType, `quote it: "null"; for null itself, the type is [string, "null"]`, "an enum value must be a string, this is null")
		return EnumValue{}, false
	case d.types&integerType != 0, d.types == 0 && n.kind == scalarNode && n.plain && classifyPlain(n.text) == plainNumber:
		return l.enumInteger(n)
	}
	text, ok := l.text(n, "an enum value")
	return EnumValue{Value: text, Pos: n.pos}, ok
}

func (l *loader) enumInteger(n *node) (EnumValue, bool) {
	if n.kind != scalarNode || !n.plain || classifyPlain(n.text) != plainNumber {
		if n.kind != badNode {
			hint := ""
			if !n.plain && wholeNumber(n.text) {
				hint = "remove the quotes"
			}
			l.report(n.pos, ruleWrongType, hint, "an enum value must be an integer, this is %s", n.describe())
		}
		return EnumValue{}, false
	}
	num := l.number(n, "an enum value")
	if num == nil {
		return EnumValue{}, false
	}
	whole, ok := wholeText(num.Text)
	if !ok {
		l.report(n.pos, ruleEnum, "quote it if it is text", "an enum value must be a string or an integer, this is %s", n.describe())
	}
	return EnumValue{Value: whole, Integer: true, Pos: n.pos}, ok
}

func (v EnumValue) describe() string {
	if v.Integer {
		return cut(v.Value)
	}
	return quote(v.Value)
}

// constKeyword reads the one valid value: a string, a number or a boolean.
func (l *loader) constKeyword(d *draft, n *node) {
	if n.kind != scalarNode || n.plain && classifyPlain(n.text) == plainNull {
		if n.kind != badNode {
			l.report(n.pos, ruleConst, "leave it out, and say in the description what is sent", "const must be a string, a number or a boolean, this is %s", n.describe())
		}
		return
	}
	if d.types&stringType != 0 {
		if _, ok := l.text(n, "const"); !ok {
			return
		}
	}
	value, ok := l.literal(n, ruleConst, "const")
	if !ok {
		return
	}
	is := literalType(n)
	switch {
	case d.types != 0 && d.types&is == 0:
		hint := ""
		if !n.plain && jsonNumber.MatchString(n.text) || !n.plain && (n.text == "true" || n.text == "false") {
			hint = "remove the quotes"
		}
		l.report(n.pos, ruleConst, hint, "const must be of type %s, this is %s", d.types&^nullType, n.describe())
		return
	case d.types&nullType != 0:
		l.report(n.pos, ruleConst, `take "null" out of the type`, "type allows null, const does not")
		return
	case is == integerType:
		whole, _ := wholeText(n.text)
		value.JSON = []byte(whole)
	}
	d.Const = &value.Literal
}

// literalType is the type of a scalar that was read as a literal.
func literalType(n *node) typeSet {
	switch {
	case !n.plain:
		return stringType
	case classifyPlain(n.text) == plainBool:
		return booleanType
	case classifyPlain(n.text) == plainNumber:
		if _, whole := wholeText(n.text); whole {
			return integerType
		}
		return fractionType
	case classifyPlain(n.text) == plainNull:
		return nullType
	}
	return stringType
}

// constType is the type of a const by its text.
func (c *Literal) constType() typeSet {
	switch text := string(c.JSON); {
	case text[0] == '"':
		return stringType
	case text == "true", text == "false":
		return booleanType
	case wholeNumber(text):
		return integerType
	}
	return fractionType
}

// valueTypes are the types that const and enum of a draft leave, or zero when it has neither.
func (d *draft) valueTypes() typeSet {
	var types typeSet
	switch {
	case d.Const != nil:
		return d.Const.constType()
	case len(d.Enum) > 0 && d.Enum[0].Integer:
		types = integerType
	case len(d.Enum) > 0:
		types = stringType
	}
	if d.enumNull {
		types |= nullType
	}
	return types
}

// closed merges what consts and enums leave of the values of s, which has its kind.
func (b *builder) closed(s *Schema, g *group) {
	var consts []string
	var base string
	enums := 0
	for _, p := range g.parts {
		if p.Const != nil {
			consts = append(consts, string(p.Const.JSON))
			s.Const = p.Const
		}
		if p.Enum != nil {
			// Of several lists one has to give the order. It must not be the first of them.
			enums++
			if text := enumText(p.Enum); s.Enum == nil || text < base {
				s.Enum, base = p.Enum, text
			}
		}
	}
	for _, p := range g.parts {
		if enums > 1 && p.Enum != nil {
			values := make(map[string]bool, len(p.Enum))
			for _, v := range p.Enum {
				values[v.json()] = true
			}
			s.Enum = slices.DeleteFunc(slices.Clone(s.Enum), func(v EnumValue) bool { return !values[v.json()] })
		}
	}
	switch consts = sortedSet(consts); {
	case len(consts) > 1:
		b.conflict(g, "keep one of them", "const cannot be %s at once", list(describeAll(consts)))
		s.Const, s.Enum = nil, nil
	case enums > 1 && len(s.Enum) == 0:
		b.conflict(g, "keep one of them", "the enums have no value in common")
		s.Enum = nil
	case s.Const != nil && enums > 0:
		if !slices.ContainsFunc(s.Enum, func(v EnumValue) bool { return v.json() == consts[0] }) {
			b.contradiction(g, "const", "enum", "const %s is not in the enum", describeJSON(consts[0]))
		}
		s.Enum = nil
	}
}

// constOrNull makes a const that may be null as well what it is: an enum of one value.
func (b *builder) constOrNull(s *Schema, g *group) {
	c := s.Const
	s.Const = nil
	value, text := EnumValue{Pos: c.Pos}, string(c.JSON)
	switch s.Kind {
	case String:
		if err := json.Unmarshal(c.JSON, &value.Value); err != nil {
			panic("schema: not a string: " + text)
		}
	case Integer:
		value.Value, value.Integer = text, true
	default:
		if !g.quiet {
			b.report(c.Pos, ruleConst, "leave out the const, or null", "const %s cannot be null as well", describeJSON(text))
		}
		return
	}
	s.Enum = []EnumValue{value}
}

func enumText(values []EnumValue) string {
	var text strings.Builder
	for _, v := range values {
		text.WriteString(v.json())
		text.WriteByte(',')
	}
	return text.String()
}

func (v EnumValue) json() string {
	if v.Integer {
		return v.Value
	}
	return string(appendJSONString(nil, v.Value))
}

// describeJSON shows JSON in a message.
func describeJSON(text string) string {
	var s string
	switch {
	case text[0] == '"' && json.Unmarshal([]byte(text), &s) == nil:
		return quote(s)
	case text[0] == '{' || text[0] == '[':
		return quote(text)
	}
	return cut(text)
}

func describeAll(texts []string) []string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = describeJSON(t)
	}
	return all
}

// sortedSet sorts texts and drops doubles: what is made of it does not depend on the order of what it is made from.
func sortedSet(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// settle holds the values of a const or an enum against the keywords beside it that say which of them are valid. Those
// keywords are dropped then: the values that are left obey them.
func (b *builder) settle(s *Schema, g *group) {
	closed := s.Const != nil || s.Enum != nil
	bounded := s.MinLength != nil || s.MaxLength != nil || s.Pattern != "" || s.Minimum != nil || s.Maximum != nil ||
		s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil || s.MultipleOf != nil || s.Format != NoFormat || s.Kind == Integer
	if !closed || !bounded {
		return
	}
	bounds := *s
	bounds.Const, bounds.Enum, bounds.Nullable, bounds.Default, bounds.Examples = nil, nil, false, nil, nil
	if c := s.Const; c != nil {
		b.claim(&bounds, scalarValue(c.Pos, string(c.JSON), ruleConst, "const"))
	}
	for _, v := range s.Enum {
		b.claim(&bounds, scalarValue(v.Pos, v.json(), ruleEnum, "enum value"))
	}
	s.MinLength, s.MaxLength, s.Pattern = nil, nil, ""
	s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf = nil, nil, nil, nil, nil
	if s.Kind != Integer {
		s.Format = NoFormat
	}
}
