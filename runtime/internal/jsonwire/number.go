package jsonwire

import (
	"errors"
	"math"
	"strconv"
)

// The errors of ParseInt64 and ParseUint64.
var (
	ErrNotIntegral = errors.New("number is not an integer")
	ErrRange       = errors.New("number is out of range")
)

// ParseInt64 returns the exact value of a number literal that has been scanned. As in JSON Schema 2020-12, a number is
// an integer if its value is one, so 1.0 and 1e3 are (NUM-1). The error is [ErrNotIntegral] or [ErrRange].
func ParseInt64(number []byte) (int64, error) {
	negative := len(number) > 0 && number[0] == '-'
	digits := number
	if negative {
		digits = digits[1:]
	}
	if v, ok := parseShort(digits); ok {
		if negative {
			v = -v
		}
		return v, nil
	}
	integer, fraction, exponent := splitNumber(digits)
	// The value is 0.DIGITS * 10^point, where DIGITS is integer and fraction put together.
	point := int64(len(integer)) + exponent
	at := func(i int64) byte {
		if i < int64(len(integer)) {
			return integer[i]
		}
		return fraction[i-int64(len(integer))]
	}
	total := int64(len(integer) + len(fraction))
	first := int64(0) // the index of the first digit that is not zero
	for first < total && at(first) == '0' {
		first++
	}
	if first == total {
		return 0, nil
	}
	for i := max(point, first); i < total; i++ {
		if at(i) != '0' {
			return 0, ErrNotIntegral
		}
	}
	if point-first > 19 {
		return 0, ErrRange // an int64 has at most 19 digits
	}
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	var v uint64
	for i := first; i < point; i++ {
		v *= 10
		if i < total {
			v += uint64(at(i) - '0')
		}
		if v > limit { // 19 digits and one more step stay below 2^64
			return 0, ErrRange
		}
	}
	if negative {
		return -int64(v-1) - 1, nil
	}
	return int64(v), nil
}

// parseShort parses what most numbers are: up to 18 digits and nothing else.
func parseShort(digits []byte) (v int64, ok bool) {
	if len(digits) > 18 {
		return 0, false
	}
	for _, c := range digits {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}

// ParseUint64 is [ParseInt64] for a uint64.
func ParseUint64(number []byte) (uint64, error) {
	var room [32]byte
	negative, digits, exponent := SplitDecimal(room[:0], number)
	switch {
	case len(digits) == 0:
		return 0, nil
	case exponent < 0:
		return 0, ErrNotIntegral
	case negative || int64(len(digits))+exponent > 20:
		return 0, ErrRange
	}
	for range exponent {
		digits = append(digits, '0')
	}
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0, ErrRange
	}
	return n, nil
}

// splitNumber splits an unsigned literal. An exponent beyond any use is limited to one that is still beyond.
func splitNumber(digits []byte) (integer, fraction []byte, exponent int64) {
	end := len(digits)
	for i, c := range digits {
		if c == 'e' || c == 'E' {
			end = i
			exponent = parseExponent(digits[i+1:])
			break
		}
	}
	integer = digits[:end]
	for i, c := range integer {
		if c == '.' {
			integer, fraction = digits[:i], digits[i+1:end]
			break
		}
	}
	return integer, fraction, exponent
}

func parseExponent(text []byte) int64 {
	const huge = math.MaxInt64 / 4
	exponent, err := strconv.ParseInt(string(text), 10, 64)
	switch {
	case err == nil:
		return min(max(exponent, -huge), huge)
	case text[0] == '-':
		return -huge
	}
	return huge
}
