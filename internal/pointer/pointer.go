// Package pointer escapes and unescapes the segments of JSON Pointers (RFC 6901).
package pointer

import "strings"

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape returns a member name as a segment of a JSON Pointer.
func Escape(name string) string { return escaper.Replace(name) }

// Append appends a slash and the escaped member name to a JSON Pointer.
func Append[N string | []byte](dst []byte, name N) []byte {
	dst = append(dst, '/')
	for i := range len(name) {
		switch c := name[i]; c {
		case '~':
			dst = append(dst, "~0"...)
		case '/':
			dst = append(dst, "~1"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// Join returns the JSON Pointer with the given member names as its segments. Without names it is empty.
func Join(segments ...string) string {
	var b []byte
	for _, s := range segments {
		b = Append(b, s)
	}
	return string(b)
}

// Unescape returns the member name that a segment stands for. It reports false if a ~ is followed by neither 0 nor 1.
func Unescape(segment string) (name string, ok bool) {
	for i := 0; i < len(segment); i++ {
		if segment[i] == '~' && (i+1 == len(segment) || segment[i+1] != '0' && segment[i+1] != '1') {
			return "", false
		}
	}
	return unescaper.Replace(segment), true
}
