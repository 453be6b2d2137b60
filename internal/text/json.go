package text

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends s as a JSON string, as [AppendValidJSON] does. Bytes that are not UTF-8 become U+FFFD.
func AppendJSON(dst []byte, s string) []byte {
	out, ok := AppendValidJSON(dst, s)
	if !ok {
		out, _ = AppendValidJSON(dst, strings.ToValidUTF8(s, "\ufffd"))
	}
	return out
}

// PlainBytes returns how many bytes at the start of s certainly stand for themselves in a JSON string. It looks at
// eight at a time.
func PlainBytes[T string | []byte](s T) (n int) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; len(s)-n >= 8; n += 8 {
		b := s[n : n+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		// A byte's high bit is set if the byte is below 0x20, a quote, a backslash, or not ASCII. What a subtraction
		// borrows reaches only bytes behind one of these.
		special := ((x - 0x20*ones) | ((x ^ '"'*ones) - ones) | ((x ^ '\\'*ones) - ones) | x) & highs
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
	return n
}

// AppendValidJSON appends s as a JSON string. It escapes only the quote, the backslash and characters below U+0020
// (ENC-2, ENC-3, ENC-4). If s is not valid UTF-8, it appends nothing and reports false (ENC-5).
func AppendValidJSON[T string | []byte](dst []byte, s T) (out []byte, ok bool) {
	const hex = "0123456789abcdef"
	start := len(dst)
	dst = append(dst, '"')
	done := 0 // s[:done] is in dst
	for i := 0; ; {
		if len(s)-i >= 16 {
			i += PlainBytes(s[i:])
		}
		for i < len(s) && ' ' <= s[i] && s[i] < utf8.RuneSelf && s[i] != '"' && s[i] != '\\' {
			i++
		}
		if i >= len(s) {
			break
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			// The conversion of at most utf8.UTFMax bytes does not allocate.
			r, size := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
			if r == utf8.RuneError && size == 1 {
				return dst[:start], false
			}
			i += size
			continue
		}
		dst = append(dst, s[done:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
		}
		i++
		done = i
	}
	dst = append(dst, s[done:]...)
	return append(dst, '"'), true
}
