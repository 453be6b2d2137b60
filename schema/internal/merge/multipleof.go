package merge

import (
	"math/big"

	"github.com/babelqueue/bqgen/schema"
)

// commonMultiple returns the smallest number that both divide.
func commonMultiple(a, b *schema.Num) *schema.Num {
	if a == nil || b == nil || a.Rat().Cmp(b.Rat()) == 0 {
		return schema.Larger(a, b)
	}
	// Over a common denominator it is the common multiple of the numerators.
	x, y := a.Rat(), b.Rat()
	denominator := lcm(x.Denom(), y.Denom())
	numerator := lcm(over(x, denominator), over(y, denominator))
	return &schema.Num{Pos: a.Pos, Text: schema.DecimalText(new(big.Rat).SetFrac(numerator, denominator))}
}

// over returns the numerator of r over a denominator.
func over(r *big.Rat, denominator *big.Int) *big.Int {
	factor := new(big.Int).Div(denominator, r.Denom())
	return factor.Mul(factor, r.Num())
}

func lcm(a, b *big.Int) *big.Int {
	product := new(big.Int).Mul(a, b)
	return product.Div(product, new(big.Int).GCD(nil, nil, a, b))
}

// wholeMultiple returns the multipleOf that means the same for integers; nil for 1.
func wholeMultiple(m *schema.Num) *schema.Num {
	if m == nil {
		return nil
	}
	// An integer that is a multiple of p/q is a multiple of p.
	whole := &schema.Num{Pos: m.Pos, Text: m.Rat().Num().String()}
	if whole.Text == "1" {
		return nil
	}
	return whole
}

// checkMultiples reports bounds of an integer that leave no integer, or no multiple.
func (b *builder) checkMultiples(s *schema.Schema, g *group, low, high bound) {
	step := big.NewInt(1)
	if s.MultipleOf != nil {
		step = s.MultipleOf.Rat().Num()
	}
	first, last := ceil(low.Rat()), floor(high.Rat())
	if low.open {
		first.Add(first, big.NewInt(1))
	}
	if high.open {
		last.Sub(last, big.NewInt(1))
	}
	first = ceil(new(big.Rat).SetFrac(first, step))
	if first.Mul(first, step).Cmp(last) > 0 {
		b.contradiction(g, "multipleOf", "minimum", "the bounds leave no integer that is valid")
	}
}
