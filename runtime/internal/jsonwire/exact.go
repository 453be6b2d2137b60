package jsonwire

import (
	"bytes"
	"slices"
	"strconv"
)

// SplitDecimal takes number, a literal that ScanNumber has passed, apart: its value is that of digits, times ten to
// the exponent. The digits have no zero at either end; of zero there are none. digits is dst, appended to.
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

// AppendCanonical appends the value at b[i], which ScanValue has passed, in a form in which equal values are equal
// text, as JSON Schema has it: numbers by their value, members in any order and the last of equal names. It returns
// the offset after the value.
func AppendCanonical(dst, b []byte, i int) (out []byte, end int) {
	switch c := b[i]; {
	case c == '{':
		return appendCanonicalObject(dst, b, i)
	case c == '[':
		dst = append(dst, '[')
		for i = SkipSpace(b, i+1); b[i] != ']'; {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst, i = AppendCanonical(dst, b, i)
			if i = SkipSpace(b, i); b[i] == ',' {
				i = SkipSpace(b, i+1)
			}
		}
		return append(dst, ']'), i + 1
	case c == '"':
		end, plain, _ := ScanString(b, i)
		if plain {
			return append(dst, b[i:end]...), end
		}
		dst, _ = AppendString(dst, AppendUnquoted(nil, b[i:end]))
		return dst, end
	case c == '-' || isDigit(c):
		end, _ := ScanNumber(b, i)
		return appendCanonicalNumber(dst, b[i:end]), end
	}
	end, _ = ScanValue(b, i, 0)
	return append(dst, b[i:end]...), end
}

func appendCanonicalNumber(dst, number []byte) []byte {
	negative, digits, exponent := SplitDecimal(nil, number)
	if len(digits) == 0 {
		return append(dst, '0')
	}
	if negative {
		dst = append(dst, '-')
	}
	dst = append(dst, digits...)
	if exponent != 0 {
		dst = strconv.AppendInt(append(dst, 'e'), exponent, 10)
	}
	return dst
}

func appendCanonicalObject(dst, b []byte, i int) (out []byte, end int) {
	members := map[string][]byte{}
	var names []string
	for i = SkipSpace(b, i+1); b[i] != '}'; {
		nameEnd, plain, value, _ := ScanMember(b, i)
		name := Unquote(b[i:nameEnd], plain)
		if _, again := members[name]; !again {
			names = append(names, name)
		}
		members[name], i = AppendCanonical(nil, b, value)
		if i = SkipSpace(b, i); b[i] == ',' {
			i = SkipSpace(b, i+1)
		}
	}
	slices.Sort(names)
	dst = append(dst, '{')
	for n, name := range names {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst, _ = AppendString(dst, name)
		dst = append(append(dst, ':'), members[name]...)
	}
	return append(dst, '}'), i + 1
}

// ParseUint64 is ParseInt64 for a uint64.
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
