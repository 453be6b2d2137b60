package envelope

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/contract"
)

// Trim returns s without the blanks at both ends. Only U+0020 and U+0009 to U+000D are blanks (ENV-8).
func Trim(s string) string { return strings.Trim(s, contract.Blanks) }

// Blank reports whether s is empty or consists of blanks (ENV-8).
func Blank(s string) bool { return Trim(s) == "" }
