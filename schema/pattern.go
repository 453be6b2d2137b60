package schema

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

const (
	// maxPatternSize is how large a pattern may be once repetitions are written out, in characters or so. Generated
	// programs compile their patterns when they start.
	maxPatternSize = 10_000
	// maxPatterns is what all patterns of a catalog may be together.
	maxPatterns = 1_000_000
)

// patternKeyword takes a regular expression. JSON Schema means JavaScript's, Go has RE2's: what only the first
// knows cannot be checked in a message, so it is refused.
func (l *loader) patternKeyword(d *draft, n *node) {
	pattern, ok := l.text(n, "pattern")
	if !ok {
		return
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err == nil {
		size := patternSize(tree)
		if l.patterns += size; size > maxPatternSize || l.patterns > maxPatterns {
			l.report(n.pos, rulePattern, "use maxLength for long text, and smaller repetitions", "pattern is too large")
			return
		}
		_, err = regexp.Compile(pattern)
	}
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		l.report(n.pos, rulePattern, patternHint(pattern), "pattern is not a regular expression that Go can compile: %s", quotedReason(reason))
		return
	}
	d.Pattern = pattern
}

// quotedReason keeps what the compiler repeats of the pattern on its line.
func quotedReason(reason string) string {
	if what, where, ok := strings.Cut(reason, ": `"); ok {
		return what + ": " + quote(strings.TrimSuffix(where, "`"))
	}
	return quote(reason)
}

// patternHint explains what patterns from elsewhere contain most.
func patternHint(pattern string) string {
	for _, look := range []struct{ sign, name string }{
		{"(?=", "a lookahead, (?=...)"}, {"(?!", "a negative lookahead, (?!...)"},
		{"(?<=", "a lookbehind, (?<=...)"}, {"(?<!", "a negative lookbehind, (?<!...)"},
		{"(?>", "an atomic group, (?>...)"},
	} {
		if strings.Contains(pattern, look.sign) {
			return "RE2 has no " + strings.TrimPrefix(strings.TrimPrefix(look.name, "a "), "an ") + ": write what is allowed, use enum, or say it in the description"
		}
	}
	switch {
	case backReference.MatchString(pattern):
		return `RE2 has no backreference such as \1`
	case strings.Contains(pattern, `\u`):
		return `RE2 writes a code point as \x{20AC}, not \u20AC`
	case possessive.MatchString(pattern):
		return "RE2 has no possessive repetition such as a++"
	}
	return "patterns are written in RE2 syntax: https://github.com/google/re2/wiki/Syntax"
}

var (
	backReference = regexp.MustCompile(`(^|[^\\])(\\\\)*\\([1-9]|k<)`)
	possessive    = regexp.MustCompile(`[*+?}]\+`)
)

// patternSize estimates the program that a pattern becomes.
func patternSize(re *syntax.Regexp) int {
	size := 1
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	for _, sub := range re.Sub {
		size += patternSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(1, re.Min, re.Max)
	}
	return min(size, maxPatterns+1)
}
