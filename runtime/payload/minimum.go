package payload

import (
	"fmt"
	"strconv"
)

// A Number is a Go type for the numbers of a payload.
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

// appendNumber appends a number as JSON. A float stands for the shortest decimal that is read back as it: 0.1 is
// exactly one tenth.
func appendNumber[N Number](dst []byte, v N) []byte {
	half := 0.5
	if isFloat := N(half) != 0; !isFloat {
		if v < 0 {
			return strconv.AppendInt(dst, int64(v), 10)
		}
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	bits := 64
	if small := 1e-300; N(small) == 0 {
		bits = 32
	}
	return strconv.AppendFloat(dst, float64(v), 'g', -1, bits)
}
