package payload

import (
	"fmt"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A Number is what a number of a payload can be in Go.
type Number interface {
	~int32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// Minimum checks that a number is at least min.
func Minimum[N Number](c *Validator, v, min N) {
	if v < min {
		c.violate(RuleMinimum, fmt.Sprintf("want at least %v", min), numberText(v))
	}
}

// Maximum checks that a number is at most max.
func Maximum[N Number](c *Validator, v, max N) {
	if v > max {
		c.violate(RuleMaximum, fmt.Sprintf("want at most %v", max), numberText(v))
	}
}

// ExclusiveMinimum checks that a number is more than min.
func ExclusiveMinimum[N Number](c *Validator, v, min N) {
	if v <= min {
		c.violate(RuleExclusiveMinimum, fmt.Sprintf("want more than %v", min), numberText(v))
	}
}

// ExclusiveMaximum checks that a number is less than max.
func ExclusiveMaximum[N Number](c *Validator, v, max N) {
	if v >= max {
		c.violate(RuleExclusiveMaximum, fmt.Sprintf("want less than %v", max), numberText(v))
	}
}

func numberText[N Number](v N) string { return string(appendNumber(nil, v)) }

// appendNumber writes a number as JSON. That of a float is the shortest decimal that reads back as it, and stands for
// its exact value: 0.1 is one tenth.
func appendNumber[N Number](dst []byte, v N) []byte {
	half := 0.5
	if isFloat := N(half) != 0; !isFloat {
		if v < 0 {
			return strconv.AppendInt(dst, int64(v), 10)
		}
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	size := 64
	if small := 1e-300; N(small) == 0 {
		size = 32
	}
	return strconv.AppendFloat(dst, float64(v), 'g', -1, size)
}

// MultipleOf checks that a number is a multiple of step, a positive number in JSON. It is exact: 0.3 is a multiple of
// 0.1, as the decimals that they are in JSON.
func MultipleOf[N Number](c *Validator, v N, step string) {
	var room [32]byte
	text := appendNumber(room[:0], v)
	if v-v == 0 && !isMultiple(text, step) { // an infinity has been reported
		c.violate(RuleMultipleOf, "want a multiple of "+step, string(text))
	}
}

// isMultiple reports whether number is an integer times step, both JSON.
func isMultiple(number []byte, step string) bool {
	var room, stepRoom [40]byte
	_, digits, exponent := jsonwire.SplitDecimal(room[:0], number)
	_, stepDigits, stepExponent := jsonwire.SplitDecimal(stepRoom[:0], []byte(step))
	if len(digits) == 0 {
		return true
	}
	n, nOK := smallNumber(digits)
	m, mOK := smallNumber(stepDigits)
	if !nOK || !mOK {
		return isMultipleBig(number, step)
	}
	// n * 10^shift has to be a multiple of m, or n one of m * 10^-shift.
	shift := exponent - stepExponent
	for ; shift < 0; shift++ {
		high, low := bits.Mul64(m, 10)
		if high != 0 || low > n {
			return false
		}
		m = low
	}
	n %= m
	for ; shift > 0 && n != 0; shift-- {
		high, low := bits.Mul64(n, 10)
		_, n = bits.Div64(high, low, m)
	}
	return n == 0
}

func smallNumber(digits []byte) (n uint64, ok bool) {
	if len(digits) > 19 {
		return 0, false
	}
	for _, c := range digits {
		n = n*10 + uint64(c-'0')
	}
	return n, true
}

func isMultipleBig(number []byte, step string) bool {
	n, _ := new(big.Rat).SetString(string(number))
	m, ok := new(big.Rat).SetString(step)
	return ok && n.Quo(n, m).IsInt()
}
