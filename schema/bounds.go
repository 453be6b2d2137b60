package schema

import (
	"math/big"
	"strings"
)

// numbers merges what the parts say about numbers, exactly. s has its kind and format.
func (b *builder) numbers(s *Schema, g *group) {
	for _, p := range g.parts {
		s.Minimum = tighter(s.Minimum, p.Minimum, 1)
		s.ExclusiveMinimum = tighter(s.ExclusiveMinimum, p.ExclusiveMinimum, 1)
		s.Maximum = tighter(s.Maximum, p.Maximum, -1)
		s.ExclusiveMaximum = tighter(s.ExclusiveMaximum, p.ExclusiveMaximum, -1)
		s.MultipleOf = commonMultiple(s.MultipleOf, p.MultipleOf)
		if s.MultipleOf != nil && len(s.MultipleOf.Text) > maxNumber { // and it only grows
			b.conflict(g, "write one multipleOf", "the common multiple of all multipleOf is too large")
			s.MultipleOf = nil
			return
		}
	}
	if s.Minimum == nil && s.ExclusiveMinimum == nil && s.Maximum == nil && s.ExclusiveMaximum == nil && s.MultipleOf == nil {
		return
	}
	if s.Kind == Integer {
		s.wholeBounds()
	}
	if s.Kind == Integer || s.Kind == Number {
		b.numberRange(s, g)
	}
}

// tighter is the larger of two numbers, or the smaller when sign is -1. Of equal ones it takes the shorter text,
// so that it does not matter which comes first.
func tighter(a, b *Num, sign int) *Num {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	switch c := b.Rat().Cmp(a.Rat()) * sign; {
	case c > 0, c == 0 && (len(b.Text) < len(a.Text) || len(b.Text) == len(a.Text) && b.Text < a.Text):
		return b
	}
	return a
}

// commonMultiple is the smallest number that both divide.
func commonMultiple(a, b *Num) *Num {
	if a == nil || b == nil || a.Rat().Cmp(b.Rat()) == 0 {
		return tighter(a, b, 1)
	}
	// Over a common denominator it is the common multiple of the numerators.
	x, y := a.Rat(), b.Rat()
	denominator := lcm(x.Denom(), y.Denom())
	numerator := lcm(over(x, denominator), over(y, denominator))
	return &Num{Pos: a.Pos, Text: decimalText(new(big.Rat).SetFrac(numerator, denominator))}
}

func over(r *big.Rat, denominator *big.Int) *big.Int {
	factor := new(big.Int).Div(denominator, r.Denom())
	return factor.Mul(factor, r.Num())
}

func lcm(a, b *big.Int) *big.Int {
	product := new(big.Int).Mul(a, b)
	return product.Div(product, new(big.Int).GCD(nil, nil, a, b))
}

// decimalText writes a number whose denominator is made of twos and fives, as all decimals have it.
func decimalText(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	places, _ := r.FloatPrec()
	return strings.TrimRight(r.FloatString(places), "0")
}

// wholeBounds rounds the bounds of an integer to whole numbers, to the side that keeps their meaning.
func (s *Schema) wholeBounds() {
	s.Minimum = s.Minimum.rounded(up)
	s.ExclusiveMaximum = s.ExclusiveMaximum.rounded(up)
	s.Maximum = s.Maximum.rounded(down)
	s.ExclusiveMinimum = s.ExclusiveMinimum.rounded(down)
	if m := s.MultipleOf; m != nil {
		// What p/q divides, p divides: an integer has no part of q.
		s.MultipleOf = &Num{Pos: m.Pos, Text: m.Rat().Num().String()}
		if s.MultipleOf.Text == "1" {
			s.MultipleOf = nil
		}
	}
}

func (n *Num) rounded(round func(*big.Rat) *big.Int) *Num {
	if n == nil {
		return nil
	}
	return &Num{Pos: n.Pos, Text: round(n.Rat()).String()}
}

func down(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) } // Euclidean: towards minus infinity

func up(r *big.Rat) *big.Int {
	negative := down(new(big.Rat).Neg(r))
	return negative.Neg(negative)
}

// numberRange reports bounds that leave no number.
func (b *builder) numberRange(s *Schema, g *group) {
	low, lowOpen := s.Minimum, false
	if e := s.ExclusiveMinimum; e != nil && (low == nil || e.Rat().Cmp(low.Rat()) >= 0) {
		low, lowOpen = e, true
	}
	high, highOpen := s.Maximum, false
	if e := s.ExclusiveMaximum; e != nil && (high == nil || e.Rat().Cmp(high.Rat()) <= 0) {
		high, highOpen = e, true
	}
	lowName, highName := "minimum", "maximum"
	if lowOpen {
		lowName = "exclusiveMinimum"
	}
	if highOpen {
		highName = "exclusiveMaximum"
	}
	if low != nil && high != nil {
		if c := low.Rat().Cmp(high.Rat()); c > 0 || c == 0 && (lowOpen || highOpen) {
			b.contradiction(g, highName, lowName, "%s %s and %s %s leave no number", lowName, cut(low.Text), highName, cut(high.Text))
			return
		}
	}
	if limits, ok := limitsOf(s); ok {
		if low != nil && low.Rat().Cmp(limits.max) > 0 {
			b.contradiction(g, lowName, "format", "%s %s is more than %s can hold", lowName, cut(low.Text), limits.what)
			return
		}
		if high != nil && high.Rat().Cmp(limits.min) < 0 {
			b.contradiction(g, highName, "format", "%s %s is less than %s can hold", highName, cut(high.Text), limits.what)
			return
		}
		if low == nil {
			low, lowOpen = &Num{Text: limits.min.RatString()}, false
		}
		if high == nil {
			high, highOpen = &Num{Text: limits.max.RatString()}, false
		}
	}
	if s.Kind == Integer {
		b.multiples(s, g, low, lowOpen, high, highOpen)
	}
}

// multiples reports bounds of an integer between which there is none, or no multiple.
func (b *builder) multiples(s *Schema, g *group, low *Num, lowOpen bool, high *Num, highOpen bool) {
	if low == nil || high == nil {
		return
	}
	step := big.NewInt(1)
	if s.MultipleOf != nil {
		step = s.MultipleOf.Rat().Num()
	}
	first, last := up(low.Rat()), down(high.Rat())
	if lowOpen {
		first.Add(first, big.NewInt(1))
	}
	if highOpen {
		last.Sub(last, big.NewInt(1))
	}
	first = up(new(big.Rat).SetFrac(first, step))
	if first.Mul(first, step).Cmp(last) > 0 {
		b.contradiction(g, "multipleOf", "minimum", "the bounds leave no integer that is valid")
	}
}

// limits are what a Go type can hold.
type limits struct {
	min, max *big.Rat
	what     string
}

var integerLimits = map[Format]limits{
	NoFormat: {rational("-9223372036854775808"), rational("9223372036854775807"), "an integer of 64 bits"},
	Int64:    {rational("-9223372036854775808"), rational("9223372036854775807"), "an integer of 64 bits"},
	Int32:    {rational("-2147483648"), rational("2147483647"), "an integer of 32 bits"},
	Uint64:   {rational("0"), rational("18446744073709551615"), "an unsigned integer of 64 bits"},
}

func limitsOf(s *Schema) (limits, bool) {
	if s.Kind != Integer {
		return limits{}, false
	}
	l, ok := integerLimits[s.Format]
	return l, ok
}

// ordered reports a lower bound above the upper.
func (b *builder) ordered(g *group, lowName string, low *int, highName string, high *int) {
	if low != nil && high != nil && *low > *high {
		b.contradiction(g, highName, lowName, "%s %d is more than %s %d", lowName, *low, highName, *high)
	}
}
