package golang

import (
	"math"
	"math/big"
	"strconv"

	"github.com/babelqueue/bqgen/schema"
)

// A goNumber is a number of a Go type.
type goNumber struct {
	text  goExpr   // as a constant of Go
	value *big.Rat // what it stands for: of a float, the shortest decimal that reads back as it
}

// lowerBound is the check that values are not below n. It reports false when no value of the type can be.
func lowerBound(n *schema.Num, exclusive bool, of builtin) (check, bool) {
	bound, least := boundOf(n, of, true), smallest(of)
	atBound := bound.value.Cmp(n.Rat()) // of the value that the bound becomes
	allowed := atBound > 0 || atBound == 0 && !exclusive
	switch {
	case bound.value.Cmp(least.value) < 0, bound.value.Cmp(least.value) == 0 && allowed:
		return check{}, false
	case allowed:
		return check{Func: "Minimum", Arg: bound.text}, true
	}
	return check{Func: "ExclusiveMinimum", Arg: bound.text}, true
}

// upperBound is the check that values are not above n.
func upperBound(n *schema.Num, exclusive bool, of builtin) (check, bool) {
	bound, most := boundOf(n, of, false), largest(of)
	atBound := bound.value.Cmp(n.Rat())
	allowed := atBound < 0 || atBound == 0 && !exclusive
	switch {
	case bound.value.Cmp(most.value) > 0, bound.value.Cmp(most.value) == 0 && allowed:
		return check{}, false
	case allowed:
		return check{Func: "Maximum", Arg: bound.text}, true
	}
	return check{Func: "ExclusiveMaximum", Arg: bound.text}, true
}

// boundOf is the number of the type that stands for n: the nearest float, or the next integer on the side of the values
// that are allowed. One beyond the type is beyond it still, or at its end.
func boundOf(n *schema.Num, of builtin, isLower bool) goNumber {
	if of == float64Type || of == float32Type {
		return nearest(n.Text, of)
	}
	r := n.Rat()
	whole := new(big.Int).Div(r.Num(), r.Denom()) // rounded down
	if isLower && !r.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	value := new(big.Rat).SetInt(whole)
	// No value of the type is beyond its end: a bound beyond it becomes one that excludes the end.
	if end := largest(of); isLower && value.Cmp(end.value) > 0 {
		return end
	}
	if end := smallest(of); !isLower && value.Cmp(end.value) < 0 {
		return end
	}
	return goNumber{text: goExpr(whole.String()), value: value}
}

// nearest is the float that number, in JSON, is read as; one beyond the largest is the largest.
func nearest(number string, of builtin) goNumber {
	f, _ := strconv.ParseFloat(number, bitsOf(of))
	if most := maxFloat(of); math.Abs(f) > most {
		f = math.Copysign(most, f)
	}
	return floatNumber(f, of)
}

func floatNumber(f float64, of builtin) goNumber {
	format := byte('f')
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		format = 'g'
	}
	text := strconv.FormatFloat(f, format, -1, bitsOf(of))
	value, _ := new(big.Rat).SetString(text)
	if value.Sign() == 0 {
		text = "0"
	}
	return goNumber{text: goExpr(text), value: value}
}

func bitsOf(of builtin) int {
	if of == float32Type {
		return 32
	}
	return 64
}

func maxFloat(of builtin) float64 {
	if of == float32Type {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

func smallest(of builtin) goNumber {
	switch of {
	case int32Type:
		return wholeNumber(math.MinInt32)
	case int64Type:
		return wholeNumber(math.MinInt64)
	case uint64Type:
		return wholeNumber(0)
	}
	return floatNumber(-maxFloat(of), of)
}

func largest(of builtin) goNumber {
	switch of {
	case int32Type:
		return wholeNumber(math.MaxInt32)
	case int64Type:
		return wholeNumber(math.MaxInt64)
	case uint64Type:
		n := new(big.Int).SetUint64(math.MaxUint64)
		return goNumber{text: goExpr(n.String()), value: new(big.Rat).SetInt(n)}
	}
	return floatNumber(maxFloat(of), of)
}

func wholeNumber(n int64) goNumber {
	return goNumber{text: goExpr(strconv.FormatInt(n, 10)), value: new(big.Rat).SetInt64(n)}
}
