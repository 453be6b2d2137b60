package format

import "strings"

// JSONPointer accepts a JSON Pointer of RFC 6901: nothing, or segments that each follow a slash.
func JSONPointer(s string) bool {
	if s != "" && s[0] != '/' {
		return false
	}
	for i := range len(s) {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

// RelativeJSONPointer accepts a number of levels without a leading zero, then # or a JSON Pointer.
func RelativeJSONPointer(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	levels := s[:len(s)-len(rest)]
	if levels == "" || len(levels) > 1 && levels[0] == '0' {
		return false
	}
	return rest == "#" || JSONPointer(rest)
}
