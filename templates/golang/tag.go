package golang

import (
	"strings"
	"unicode"
)

// jsonTag is the json tag of a field, or nothing when a tag cannot say the member's name: it has no way to quote, and
// what it has for "-" is a mistake to linters. The methods of the struct do not need it: it tells readers, and tools
// that look at tags, what the member is called.
func jsonTag(member string, p presence) string {
	for _, r := range member {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			return ""
		}
	}
	switch {
	case member == "" || member == "-":
		return ""
	case p != required:
		return member + ",omitzero"
	}
	return member
}
