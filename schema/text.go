package schema

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// blanks are the characters that count as blank: the closed ASCII set of rule ENV-8.
const blanks = " \t\n\v\f\r"

// isBlank reports whether nothing but blanks is in s.
func isBlank(s string) bool { return strings.Trim(s, blanks) == "" }

// isPadded reports whether s starts or ends with a blank.
func isPadded(s string) bool { return strings.Trim(s, blanks) != s }

// maxQuoted is how many characters of a catalog's text a message repeats.
const maxQuoted = 80

// cut shortens text for a message.
func cut(s string) string {
	if utf8.RuneCountInString(s) <= maxQuoted {
		return s
	}
	n := 0
	for i := range s {
		if n == maxQuoted {
			return s[:i] + "..."
		}
		n++
	}
	return s
}

// quote makes any text of a catalog fit to stand in a message: cut, on one line and without
// characters that steer a terminal.
func quote(s string) string { return strconv.Quote(cut(s)) }

// list joins words for a message.
func list(words []string) string { return strings.Join(words, ", ") }

// counted writes a number of things: 1 item, 2 items.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
