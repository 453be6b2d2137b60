package payload

import (
	"math/big"
	"math/bits"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// MultipleOf checks that a number is a multiple of step, a positive number in JSON. The check is exact: 0.3 is a
// multiple of 0.1, since both are decimals in JSON.
func MultipleOf[N Number](c *Validator, v N, step string) {
	var room [32]byte
	text := appendNumber(room[:0], v)
	if v-v == 0 && !isMultiple(text, step) { // the encoder reports NaN and infinities
		c.violate(RuleMultipleOf, "want a multiple of "+step, string(text))
	}
}

// isMultiple reports whether number is an integer times step. Both are number literals.
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
	// n * 10^shift must be a multiple of m or, if shift is negative, n a multiple of m * 10^-shift.
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

// smallNumber returns the value of digits unless they may be too many for 64 bits.
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
