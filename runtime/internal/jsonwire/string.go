package jsonwire

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
)

// AppendString appends s as a string literal. It escapes only the quote, the backslash and characters below U+0020
// (ENC-2, ENC-3, ENC-4). If s is not valid UTF-8, it appends nothing and reports false (ENC-5).
func AppendString[T string | []byte](dst []byte, s T) (out []byte, ok bool) {
	return text.AppendValidJSON(dst, s)
}

// AppendUnquoted appends the text of a string literal that has been scanned. An unpaired surrogate escape becomes
// U+FFFD, since there is no UTF-8 for it.
func AppendUnquoted(dst, quoted []byte) []byte {
	body := quoted[1 : len(quoted)-1]
	done := 0 // body[:done] is in dst
	for i := bytes.IndexByte(body, '\\'); i >= 0 && i < len(body); {
		if body[i] != '\\' {
			i++
			continue
		}
		dst = append(dst, body[done:i]...)
		if body[i+1] == 'u' {
			r, _ := hex4(body[i+2:])
			i += 6
			if utf16.IsSurrogate(r) {
				r, i = pairSurrogate(r, body, i)
			}
			dst = utf8.AppendRune(dst, r)
		} else {
			dst = append(dst, unescape(body[i+1]))
			i += 2
		}
		done = i
	}
	return append(dst, body[done:]...)
}

// pairSurrogate combines the surrogate r with the \u escape at body[i] if that is its other half. Otherwise it returns
// U+FFFD.
func pairSurrogate(r rune, body []byte, i int) (rune, int) {
	if low, ok := unicodeEscape(body[i:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, i + 6
		}
	}
	return utf8.RuneError, i
}

func unicodeEscape(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	return hex4(b[2:])
}

func unescape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c // one of " \ /
}

// Unquote returns the text of a string literal that has been scanned. plain may be true if ScanString said so.
func Unquote(quoted []byte, plain bool) string {
	if plain {
		return string(quoted[1 : len(quoted)-1])
	}
	return string(AppendUnquoted(nil, quoted))
}

// HasLoneSurrogate reports whether a text that has been scanned contains a \u escape of a surrogate that is not next to
// the escape of its other half (POI-10).
func HasLoneSurrogate(text []byte) bool {
	for i := 0; i+1 < len(text); {
		if text[i] != '\\' { // outside strings, scanned text contains no backslash
			i++
			continue
		}
		r, ok := unicodeEscape(text[i:])
		switch {
		case !ok:
			i += 2
		case !utf16.IsSurrogate(r):
			i += 6
		default:
			if r, i = pairSurrogate(r, text, i+6); r == utf8.RuneError {
				return true
			}
		}
	}
	return false
}
