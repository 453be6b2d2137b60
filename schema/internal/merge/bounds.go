package merge

import (
	"math/big"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// numbers merges the keywords of numbers, exactly. s has its kind and format.
func (b *builder) numbers(s *schema.Schema, g *group) {
	for _, p := range g.parts {
		s.Minimum = schema.Larger(s.Minimum, p.Minimum)
		s.ExclusiveMinimum = schema.Larger(s.ExclusiveMinimum, p.ExclusiveMinimum)
		s.Maximum = schema.Smaller(s.Maximum, p.Maximum)
		s.ExclusiveMaximum = schema.Smaller(s.ExclusiveMaximum, p.ExclusiveMaximum)
		s.MultipleOf = commonMultiple(s.MultipleOf, p.MultipleOf)
		if s.MultipleOf != nil && len(s.MultipleOf.Text) > source.MaxNumber { // and it only grows
			b.conflict(g, "write one multipleOf", "the common multiple of all multipleOf is too large")
			s.MultipleOf = nil
			return
		}
	}
	if !hasBounds(s) {
		return
	}
	if s.Kind == schema.Integer {
		roundBounds(s)
	}
	if s.Kind == schema.Integer || s.Kind == schema.Number {
		b.numberRange(s, g)
	}
}

func hasBounds(s *schema.Schema) bool {
	return s.Minimum != nil || s.ExclusiveMinimum != nil || s.Maximum != nil || s.ExclusiveMaximum != nil ||
		s.MultipleOf != nil
}

// roundBounds rounds the bounds of an integer to whole numbers, in the direction that keeps their meaning.
func roundBounds(s *schema.Schema) {
	s.Minimum = rounded(s.Minimum, ceil)
	s.ExclusiveMaximum = rounded(s.ExclusiveMaximum, ceil)
	s.Maximum = rounded(s.Maximum, floor)
	s.ExclusiveMinimum = rounded(s.ExclusiveMinimum, floor)
	s.MultipleOf = wholeMultiple(s.MultipleOf)
}

func rounded(n *schema.Num, round func(*big.Rat) *big.Int) *schema.Num {
	if n == nil {
		return nil
	}
	return &schema.Num{Pos: n.Pos, Text: round(n.Rat()).String()}
}

func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) } // Euclidean: towards minus infinity

func ceil(r *big.Rat) *big.Int {
	negative := floor(new(big.Rat).Neg(r))
	return negative.Neg(negative)
}

// A bound is one side of a range of numbers.
type bound struct {
	*schema.Num
	open bool   // the number itself is not valid
	name string // of the keyword
}

// lowerBound returns the lower bound of a schema; its Num may be nil.
func lowerBound(s *schema.Schema) bound {
	if e := s.ExclusiveMinimum; e != nil && (s.Minimum == nil || e.Rat().Cmp(s.Minimum.Rat()) >= 0) {
		return bound{e, true, "exclusiveMinimum"}
	}
	return bound{s.Minimum, false, "minimum"}
}

// upperBound returns the upper bound of a schema; its Num may be nil.
func upperBound(s *schema.Schema) bound {
	if e := s.ExclusiveMaximum; e != nil && (s.Maximum == nil || e.Rat().Cmp(s.Maximum.Rat()) <= 0) {
		return bound{e, true, "exclusiveMaximum"}
	}
	return bound{s.Maximum, false, "maximum"}
}

// numberRange reports bounds that leave no number.
func (b *builder) numberRange(s *schema.Schema, g *group) {
	low, high := lowerBound(s), upperBound(s)
	if low.Num != nil && high.Num != nil {
		if c := low.Rat().Cmp(high.Rat()); c > 0 || c == 0 && (low.open || high.open) {
			b.contradiction(g, high.name, low.name, "%s %s and %s %s leave no number",
				low.name, text.Short(low.Text), high.name, text.Short(high.Text))
			return
		}
	}
	if s.Kind != schema.Integer {
		return
	}
	limits := schema.IntegerLimits(s.Format)
	if low.Num != nil && low.Rat().Cmp(limits.Max) > 0 {
		b.contradiction(g, low.name, "format",
			"%s %s is more than %s can hold", low.name, text.Short(low.Text), limits.Type)
		return
	}
	if high.Num != nil && high.Rat().Cmp(limits.Min) < 0 {
		b.contradiction(g, high.name, "format",
			"%s %s is less than %s can hold", high.name, text.Short(high.Text), limits.Type)
		return
	}
	if low.Num == nil {
		low = bound{Num: &schema.Num{Text: limits.Min.RatString()}}
	}
	if high.Num == nil {
		high = bound{Num: &schema.Num{Text: limits.Max.RatString()}}
	}
	b.checkMultiples(s, g, low, high)
}
