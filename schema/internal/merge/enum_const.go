package merge

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// closed merges the consts and enums of a group. s has its kind.
func (b *builder) closed(s *schema.Schema, g *group) {
	var consts []string
	enums := 0
	for _, p := range g.parts {
		if p.Const != nil {
			consts = append(consts, string(p.Const.JSON))
			s.Const = p.Const
		}
		if p.Enum != nil {
			enums++
		}
	}
	s.Enum = commonValues(g)
	switch consts = sortedSet(consts); {
	case len(consts) > 1:
		b.conflict(g, "keep one of them", "const cannot be %s at once", text.List(describeAll(consts)))
		s.Const, s.Enum = nil, nil
	case enums > 1 && len(s.Enum) == 0:
		b.conflict(g, "keep one of them", "the enums have no value in common")
		s.Enum = nil
	case s.Const != nil && enums > 0:
		if !slices.ContainsFunc(s.Enum, func(v schema.EnumValue) bool { return v.JSON() == consts[0] }) {
			b.contradiction(g, "const", "enum", "const %s is not in the enum", describeJSON(consts[0]))
		}
		s.Enum = nil
	}
}

// commonValues returns the values that all enums of a group allow; nil when it has no enum. One of the lists decides
// the order: the one with the least text, not the first, so that the order of an allOf makes no difference.
func commonValues(g *group) []schema.EnumValue {
	var enums [][]schema.EnumValue
	for _, p := range g.parts {
		if p.Enum != nil {
			enums = append(enums, p.Enum)
		}
	}
	switch len(enums) {
	case 0:
		return nil
	case 1:
		return enums[0]
	}
	var common []schema.EnumValue
	var least string
	for _, values := range enums {
		if all := enumText(values); common == nil || all < least {
			common, least = values, all
		}
	}
	for _, values := range enums {
		allowed := make(map[string]bool, len(values))
		for _, v := range values {
			allowed[v.JSON()] = true
		}
		common = slices.DeleteFunc(slices.Clone(common), func(v schema.EnumValue) bool { return !allowed[v.JSON()] })
	}
	return common
}

func enumText(values []schema.EnumValue) string {
	var all strings.Builder
	for _, v := range values {
		all.WriteString(v.JSON())
		all.WriteByte(',')
	}
	return all.String()
}

// constOrNull makes a const that may also be null what it is: an enum of one value.
func (b *builder) constOrNull(s *schema.Schema, g *group) {
	c := s.Const
	s.Const = nil
	value, compact := schema.EnumValue{Pos: c.Pos}, string(c.JSON)
	switch s.Kind {
	case schema.String:
		if err := json.Unmarshal(c.JSON, &value.Value); err != nil {
			panic("merge: not a string: " + compact)
		}
	case schema.Integer:
		value.Value, value.Integer = compact, true
	default:
		if g.doubt.MayContradict() {
			b.Report(c.Pos, schema.RuleConst, "leave out the const, or null",
				"const %s cannot be null as well", describeJSON(compact))
		}
		return
	}
	s.Enum = []schema.EnumValue{value}
}

// claimClosed claims that the values of a const or an enum obey the keywords next to it that limit values. Those
// keywords are then dropped: the remaining values obey them.
func (b *builder) claimClosed(s *schema.Schema) {
	closed := s.Const != nil || s.Enum != nil
	bounded := s.MinLength != nil || s.MaxLength != nil || s.Pattern != "" || hasBounds(s) ||
		s.Format != schema.NoFormat || s.Kind == schema.Integer
	if !closed || !bounded {
		return
	}
	bounds := *s
	bounds.Const, bounds.Enum, bounds.Nullable, bounds.Default, bounds.Examples = nil, nil, false, nil, nil
	if c := s.Const; c != nil {
		b.claim(&bounds, draft.ScalarValue(c.Pos, string(c.JSON), schema.RuleConst, "const"))
	}
	for _, v := range s.Enum {
		b.claim(&bounds, draft.ScalarValue(v.Pos, v.JSON(), schema.RuleEnum, "enum value"))
	}
	s.MinLength, s.MaxLength, s.Pattern = nil, nil, ""
	s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf = nil, nil, nil, nil, nil
	if s.Kind != schema.Integer {
		s.Format = schema.NoFormat
	}
}

// describeJSON shows JSON in a message.
func describeJSON(compact string) string {
	var s string
	switch {
	case compact[0] == '"' && json.Unmarshal([]byte(compact), &s) == nil:
		return text.Quote(s)
	case compact[0] == '{' || compact[0] == '[':
		return text.Quote(compact)
	}
	return text.Short(compact)
}

func describeAll(texts []string) []string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = describeJSON(t)
	}
	return all
}
