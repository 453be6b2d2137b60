package payload

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"sync"
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

// A Pattern is a regular expression in RE2 syntax that is compiled when it is first needed. Like in JSON Schema it is
// found anywhere in a text unless it is anchored.
type Pattern struct {
	text    string
	compile func() *regexp.Regexp
}

// NewPattern returns a pattern. The text has to be a regular expression: Match panics if it is not.
func NewPattern(text string) *Pattern {
	return &Pattern{text: text, compile: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// Match reports whether the pattern is found in text.
func (p *Pattern) Match(text string) bool { return p.compile().MatchString(text) }

// MatchPattern checks that a pattern is found in a string.
func MatchPattern[S ~string](c *Validator, v S, p *Pattern) {
	if !p.Match(string(v)) {
		c.violate(RulePattern, "want text with the pattern "+quoteShort(p.text), quoteShort(v))
	}
}

// Equal checks the only value that is allowed.
func Equal[T comparable](c *Validator, v, want T) {
	if v != want {
		c.violate(RuleConst, fmt.Sprintf("want %#v", want), shorten(fmt.Sprintf("%#v", v)))
	}
}

// Text returns a value, which encode writes as a string, as that string. Constraints on the text of a date-time, a UUID
// or bytes are checked on it.
func Text(encode func(*Encoder)) string { return KeyText(encode) }

// Base64Length is how long bytes are in base64.
func Base64Length(v []byte) int { return base64.StdEncoding.EncodedLen(len(v)) }
