package jsonwire

import "bytes"

// SplitDecimal splits a number literal that has been scanned: its value is digits times ten to the power of exponent.
// The digits, which are appended to dst, have no zero at either end. Zero has no digits.
func SplitDecimal(dst, number []byte) (negative bool, digits []byte, exponent int64) {
	negative = len(number) > 0 && number[0] == '-'
	if negative {
		number = number[1:]
	}
	integer, fraction, exponent := splitNumber(number)
	start := len(dst)
	dst = append(append(dst, integer...), fraction...)
	exponent -= int64(len(fraction))
	for len(dst) > start && dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
		exponent++
	}
	digits = bytes.TrimLeft(dst[start:], "0")
	if len(digits) == 0 {
		return false, digits, 0
	}
	return negative, digits, exponent
}
