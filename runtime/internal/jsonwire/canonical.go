package jsonwire

import (
	"slices"
	"strconv"
)

// AppendCanonical appends the canonical form of the value at b[i], which has been scanned, and returns the offset after
// the value. Values are equal as in JSON Schema: numbers by their value, members in any order. The last of members with
// equal names counts (ACC-11).
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
