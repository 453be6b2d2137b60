package envelope

import "strings"

// blanks are the characters that count as blank. The set is closed: it contains no other white space (ENV-8).
const blanks = " \t\n\v\f\r"

// Trim returns s without the blanks at both ends. Only U+0020 and U+0009 to U+000D are blanks (ENV-8).
func Trim(s string) string { return strings.Trim(s, blanks) }

// Blank reports whether s is empty or consists of blanks (ENV-8).
func Blank(s string) bool { return Trim(s) == "" }
