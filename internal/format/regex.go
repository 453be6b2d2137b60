package format

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Regex accepts a regular expression of JavaScript. The parser is that of RE2, so what RE2 does not have, groups that
// look around and references to groups, is replaced first.
func Regex(s string) bool {
	if strings.Contains(s, `\Z`) || strings.Contains(s, `\A`) || strings.Contains(s, `\a`) {
		return false // anchors of other languages
	}
	s = lookAround.ReplaceAllString(s, "(?:")
	s = notInRE2.ReplaceAllString(s, "${1}x")
	_, err := syntax.Parse(s, syntax.Perl)
	return err == nil
}

var (
	lookAround = regexp.MustCompile(`\(\?<?[=!]`)
	notInRE2   = regexp.MustCompile(`((?:^|[^\\])(?:\\\\)*)\\(?:[1-9][0-9]*|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|c[A-Za-z]|k<\w+>)`)
)
