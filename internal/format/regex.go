package format

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Regex accepts a regular expression of JavaScript. The parser is that of RE2, so what RE2 does not have, groups that
// look around and references to groups, is replaced first.
func Regex(s string) bool {
	s = lookAround.ReplaceAllString(s, "(?:")
	s = notInRE2.ReplaceAllString(s, "${1}x")
	_, err := syntax.Parse(heedCase(s), syntax.Perl)
	return err == nil
}

// heedCase returns a pattern without the flag to ignore case. It is as valid, and parsed in a time that grows with its
// length: with the flag, each character of each range is looked up.
func heedCase(s string) string {
	return flags.ReplaceAllStringFunc(s, func(group string) string { return strings.ReplaceAll(group, "i", "s") })
}

// CompileRegex compiles a regular expression for a validator that tells by compiling whether a text is one. What is one
// in JavaScript and not in RE2 matches everything; the patterns of a catalog are all RE2.
func CompileRegex(s string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(s)
	if err != nil && Regex(s) {
		return regexp.Compile("")
	}
	return re, err
}

var (
	flags      = regexp.MustCompile(`\(\?[a-zA-Z-]*`)
	lookAround = regexp.MustCompile(`\(\?<?[=!]`)
	notInRE2   = regexp.MustCompile(
		`((?:^|[^\\])(?:\\\\)*)\\(?:[1-9][0-9]*|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|c[A-Za-z]|k<\w+>)`)
)
