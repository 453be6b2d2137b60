package payload

import (
	"regexp"
	"sync"
)

// A Pattern is a regular expression in RE2 syntax. It is compiled when it is first used. As in JSON Schema, it can
// match anywhere in a string unless it is anchored.
type Pattern struct {
	text    string
	compile func() *regexp.Regexp
}

// NewPattern returns a pattern. If text is not a regular expression, [Pattern.Match] panics.
func NewPattern(text string) *Pattern {
	return &Pattern{text: text, compile: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// Match reports whether a string matches the pattern.
func (p *Pattern) Match(text string) bool { return p.compile().MatchString(text) }

// MatchPattern checks that a string matches a pattern.
func MatchPattern[S ~string](c *Validator, v S, p *Pattern) {
	if !p.Match(string(v)) {
		c.violate(RulePattern, "want text with the pattern "+quoteShort(p.text), quoteShort(v))
	}
}
