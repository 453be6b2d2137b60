package judge

import (
	"strconv"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// leapSeconds reports a date-time that JSON Schema allows and time.Time cannot hold.
func (j *Judge) leapSeconds(s *schema.Schema, v draft.Value, n *source.Node, where string) {
	s = s.Resolve()
	switch {
	case s.Kind == schema.Object && n.Kind == source.Mapping:
		for _, p := range n.Pairs {
			inner := s.AdditionalSchema
			if property := s.Property(p.Key.Text); property != nil {
				inner = property.Schema
			}
			if inner != nil {
				j.leapSeconds(inner, v, p.Value, where+pointer.Join(p.Key.Text))
			}
		}
	case s.Kind == schema.Array && n.Kind == source.Sequence:
		for i, item := range n.Items {
			j.leapSeconds(s.Items, v, item, where+pointer.Join(strconv.Itoa(i)))
		}
	case s.Kind == schema.Union && n.Kind == source.Mapping:
		for _, b := range s.Branches {
			if d := n.Get(s.Discriminator); d != nil && d.Text == b.Value {
				j.leapSeconds(b.Schema, v, n, where)
			}
		}
	case s.Format == schema.DateTime && s.GoType == nil && isLeapSecond(n):
		what := v.What
		if where != "" {
			what += " at " + text.Quote(where)
		}
		j.Report(n.Pos, v.Rule, "a second earlier or later",
			"%s: %s is a leap second, which time.Time cannot hold", what, n.Describe())
	}
}

// isLeapSecond reports whether a valid date-time has the second 60.
func isLeapSecond(n *source.Node) bool {
	return n.Kind == source.Scalar && len(n.Text) > 19 && n.Text[17] == '6'
}
