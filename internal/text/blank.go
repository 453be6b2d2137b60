package text

import "strings"

// Blanks are the characters that count as blank: the closed ASCII set of rule ENV-8.
const Blanks = " \t\n\v\f\r"

// IsBlank reports whether s consists of blanks only.
func IsBlank(s string) bool { return s == "" || s[0] <= ' ' && strings.TrimLeft(s, Blanks) == "" }

// IsPadded reports whether s starts or ends with a blank.
func IsPadded(s string) bool { return strings.Trim(s, Blanks) != s }
