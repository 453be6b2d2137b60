package text

import (
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

// AppendValidJSON appends s as a JSON string. It escapes only the quote, the backslash and characters below U+0020
// (ENC-2, ENC-3, ENC-4). If s is not valid UTF-8, it appends nothing and reports false (ENC-5).
func AppendValidJSON[T string | []byte](dst []byte, s T) (out []byte, ok bool) {
	const hex = "0123456789abcdef"
	start := len(dst)
	dst = append(dst, '"')
	done := 0 // s[:done] is in dst
	for i := 0; i < len(s); {
		c := s[i]
		if ' ' <= c && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
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
