package schema

import (
	"math/big"
	"strings"
)

// A Num is a number in the catalog, exactly as written.
type Num struct {
	Pos  Pos
	Text string // as JSON writes it
}

// Rat returns the number's value. Its exponent is small enough to compute with.
func (n *Num) Rat() *big.Rat {
	r, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		panic("schema: not a number: " + n.Text)
	}
	return r
}

// Larger returns the larger of two numbers; nil is no number. Of equal ones it returns the one with the shorter text,
// so that their order makes no difference.
func Larger(a, b *Num) *Num { return further(a, b, 1) }

// Smaller returns the smaller of two numbers; nil is no number. Of equal ones it returns the one with the shorter text,
// so that their order makes no difference.
func Smaller(a, b *Num) *Num { return further(a, b, -1) }

func further(a, b *Num, sign int) *Num {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	c := b.Rat().Cmp(a.Rat()) * sign
	if c > 0 || c == 0 && (len(b.Text) < len(a.Text) || len(b.Text) == len(a.Text) && b.Text < a.Text) {
		return b
	}
	return a
}

// DecimalText writes a number whose denominator is a product of twos and fives, as that of every decimal number is.
func DecimalText(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	places, _ := r.FloatPrec()
	return strings.TrimRight(r.FloatString(places), "0")
}
