package envelope

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// Trim returns s without the blanks at both ends. Only U+0020 and U+0009 to U+000D are blanks (ENV-8).
func Trim(s string) string {
	if s == "" || !isBlank(s[0]) && !isBlank(s[len(s)-1]) {
		return s
	}
	return strings.Trim(s, text.Blanks)
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// Blank reports whether s is empty or consists of blanks (ENV-8).
func Blank(s string) bool { return text.IsBlank(s) }
