package compat

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// A limit is one end of a range of numbers. Without a number there is no limit.
type limit struct {
	at        *big.Rat
	exclusive bool
}

// rangeOf returns the range that the minimum, the maximum and the format of a number leave together.
func rangeOf(s *schema.Schema) (low, high limit) {
	formatLow, formatHigh := formatRange(s)
	low = tightest(+1, formatLow, numLimit(s.Minimum, false), numLimit(s.ExclusiveMinimum, true))
	high = tightest(-1, formatHigh, numLimit(s.Maximum, false), numLimit(s.ExclusiveMaximum, true))
	if s.Kind == schema.Integer {
		low, high = wholeLimit(low, +1), wholeLimit(high, -1)
	}
	return low, high
}

func limitAt(text string) limit {
	r, _ := new(big.Rat).SetString(text)
	return limit{at: r}
}

func numLimit(n *schema.Num, exclusive bool) limit {
	if n == nil {
		return limit{}
	}
	return limit{n.Rat(), exclusive}
}

// tightest returns the limit that leaves the fewest numbers: the greatest of lower ends (+1), the least of upper ends
// (-1).
func tightest(sign int, limits ...limit) limit {
	var best limit
	for _, l := range limits {
		if l.tighter(best, sign) {
			best = l
		}
	}
	return best
}

// tighter reports whether l leaves fewer numbers than o.
func (l limit) tighter(o limit, sign int) bool {
	switch {
	case l.at == nil:
		return false
	case o.at == nil:
		return true
	}
	if d := sign * l.at.Cmp(o.at); d != 0 {
		return d > 0
	}
	return l.exclusive && !o.exclusive
}

// wholeLimit returns the limit among whole numbers, which is never exclusive.
func wholeLimit(l limit, sign int) limit {
	if l.at == nil {
		return l
	}
	floor := new(big.Int).Div(l.at.Num(), l.at.Denom()) // Euclidean, with a positive divisor: the floor
	whole := l.at.IsInt()
	switch {
	case sign > 0 && (!whole || l.exclusive):
		floor.Add(floor, big.NewInt(1))
	case sign < 0 && whole && l.exclusive:
		floor.Sub(floor, big.NewInt(1))
	}
	return limit{at: new(big.Rat).SetInt(floor)}
}

// stepOf returns what valid numbers are multiples of; nil without such a limit.
func stepOf(s *schema.Schema) *big.Rat {
	switch {
	case s.MultipleOf == nil && s.Kind == schema.Integer:
		return big.NewRat(1, 1)
	case s.MultipleOf == nil:
		return nil
	case s.Kind == schema.Integer:
		return new(big.Rat).SetInt(s.MultipleOf.Rat().Num()) // the whole multiples of p/q are those of p
	}
	return s.MultipleOf.Rat()
}

// fits reports whether all multiples of step are multiples of other.
func fits(step, other *big.Rat) bool {
	return other == nil || step != nil && new(big.Rat).Quo(step, other).IsInt()
}

// numbersCost is what numbers costs: that of an operation grows with the square of the digits, and a number between two
// others has the digits of both.
func numbersCost(from, other *schema.Schema) int {
	whole, fraction, points, units := 20, 1, 1, 0
	for _, s := range []*schema.Schema{from, other} {
		points += len(formatEdges(s))
		for _, n := range []*schema.Num{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum} {
			if n != nil {
				points++
			}
		}
		if s.MultipleOf != nil {
			units++
		}
		for _, n := range []*schema.Num{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf} {
			if n != nil {
				whole = max(whole, n.Rat().Num().BitLen()/3)
				fraction = max(fraction, n.Rat().Denom().BitLen()/3)
			}
		}
		if s.Kind == schema.Number {
			whole = max(whole, 300) // 1e300
		}
	}
	digits := whole + fraction
	operations := (2*points - 1) * (4 + 2*units) * 2 * (1 + 4*units)
	return operations * (100 + digits*digits/250)
}

// numbers returns numbers at the limits of two schemas, and some steps away from them.
func numbers(from, other *schema.Schema) []any {
	var points []*big.Rat
	for _, s := range []*schema.Schema{from, other} {
		for _, n := range []*schema.Num{s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum} {
			if n != nil {
				points = append(points, n.Rat())
			}
		}
		for _, text := range formatEdges(s) {
			points = append(points, limitAt(text).at)
		}
	}
	points = append([]*big.Rat{new(big.Rat)}, points...)
	for i := range len(points) - 1 {
		mid := new(big.Rat).Add(points[i], points[i+1])
		points = append(points, mid.Quo(mid, big.NewRat(2, 1)))
	}
	steps := []*big.Rat{new(big.Rat), big.NewRat(1, 1), big.NewRat(1, 2), big.NewRat(1, 1000)}
	units := []*big.Rat{}
	for _, s := range []*schema.Schema{from, other} {
		if s.MultipleOf != nil {
			units = append(units, s.MultipleOf.Rat())
			steps = append(steps, s.MultipleOf.Rat(), new(big.Rat).Quo(s.MultipleOf.Rat(), big.NewRat(2, 1)))
		}
	}
	var all []any
	for _, step := range steps {
		for _, p := range points {
			for _, v := range []*big.Rat{new(big.Rat).Add(p, step), new(big.Rat).Sub(p, step)} {
				all = appendNumber(all, v)
				for _, u := range units {
					q := new(big.Rat).Quo(v, u)
					down := new(big.Rat).SetInt(new(big.Int).Div(q.Num(), q.Denom()))
					for _, k := range []int64{0, 1, 2, 3} {
						all = appendNumber(all, new(big.Rat).Mul(u, new(big.Rat).Add(down, big.NewRat(k, 1))))
					}
				}
			}
		}
	}
	return all
}

// formatEdges returns the ends of all formats: a number just beyond one shows that two formats differ.
func formatEdges(s *schema.Schema) []string {
	if s.Kind == schema.Number {
		return []string{"1e300", "-1e300", "1e39"}
	}
	return []string{
		"-2147483648", "2147483647", "-9223372036854775808", "9223372036854775807", "18446744073709551615",
	}
}

func appendNumber(all []any, r *big.Rat) []any {
	text := r.RatString()
	if !r.IsInt() {
		prec, exact := r.FloatPrec()
		if !exact || prec > 40 {
			return all
		}
		text = r.FloatString(prec)
	}
	if len(strings.TrimLeft(text, "-")) > 400 {
		return all
	}
	return append(all, json.Number(text))
}
