package payload

import (
	"fmt"
	"unicode/utf8"
)

// MinLength checks that a string has at least min code points.
func MinLength[S ~string](c *Validator, v S, min int) {
	if len(v) < min || len(v) < utf8.UTFMax*min && utf8.RuneCountInString(string(v)) < min {
		c.violate(RuleMinLength, fmt.Sprintf("want at least %d characters", min), quoteShort(v))
	}
}

// MaxLength checks that a string has at most max code points.
func MaxLength[S ~string](c *Validator, v S, max int) {
	if len(v) > max && utf8.RuneCountInString(string(v)) > max {
		c.violate(RuleMaxLength, fmt.Sprintf("want at most %d characters", max), quoteShort(v))
	}
}
