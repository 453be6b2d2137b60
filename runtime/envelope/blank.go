package envelope

import "strings"

// blanks are the characters that count as blank. The set is closed: no other white space belongs to it (ENV-8).
const blanks = " \t\n\v\f\r"

// Trim removes blanks from both ends of s. Blank are U+0020 and U+0009 to U+000D, nothing else (ENV-8).
func Trim(s string) string { return strings.Trim(s, blanks) }

// Blank reports whether s is empty or made of blanks (ENV-8).
func Blank(s string) bool { return Trim(s) == "" }
