package draft

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

const (
	// maxPatternSize is the size of the largest pattern when its repetitions are written out, in about as many
	// characters. Generated programs compile their patterns when they start.
	maxPatternSize = 10_000
	// maxPatterns is the size of all patterns of a catalog together.
	maxPatterns = 1_000_000
)

// patternKeyword reads a regular expression. JSON Schema means those of JavaScript, Go has those of RE2. What only
// JavaScript has is refused, since no message could be checked against it.
func (r *Reader) patternKeyword(d *Draft, n *source.Node) {
	if pattern, ok := r.Text(n, "pattern"); ok && r.isPattern(n, pattern) {
		d.Pattern = pattern
	}
}

// isPattern reports what is not a regular expression that Go can compile.
func (r *Reader) isPattern(n *source.Node, pattern string) bool {
	size := foldingSize(pattern)
	if r.isTooLarge(n, size) {
		return false
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err == nil {
		if size += patternSize(tree) + classesSize(tree); r.isTooLarge(n, size) {
			return false
		}
		r.patterns += size
		_, err = regexp.Compile(pattern)
	}
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		r.Report(n.Pos, schema.RulePattern, patternHint(pattern),
			"pattern is not a regular expression that Go can compile: %s", quotedReason(reason))
	}
	return err == nil
}

// isTooLarge reports a pattern of a size that is too large by itself or together with those before it.
func (r *Reader) isTooLarge(n *source.Node, size int) bool {
	if size <= maxPatternSize && r.patterns+size <= maxPatterns {
		return false
	}
	r.patterns += size
	r.Report(n.Pos, schema.RulePattern, "use maxLength for long text, and smaller repetitions", "pattern is too large")
	return true
}

// quotedReason keeps the part of the pattern that the compiler repeats on its line.
func quotedReason(reason string) string {
	if what, where, ok := strings.Cut(reason, ": `"); ok {
		return what + ": " + text.Quote(strings.TrimSuffix(where, "`"))
	}
	return text.Quote(reason)
}

// foreignGroups are groups that RE2 does not have, with their names.
var foreignGroups = []struct{ sign, name string }{
	{"(?=", "lookahead, (?=...)"}, {"(?!", "negative lookahead, (?!...)"},
	{"(?<=", "lookbehind, (?<=...)"}, {"(?<!", "negative lookbehind, (?<!...)"},
	{"(?>", "atomic group, (?>...)"},
}

// patternHint explains the constructs that patterns from elsewhere contain most often.
func patternHint(pattern string) string {
	for _, group := range foreignGroups {
		if strings.Contains(pattern, group.sign) {
			return "RE2 has no " + group.name + ": write what is allowed, use enum, or say it in the description"
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

// patternSize estimates the size of the program that a pattern becomes.
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

// foldingSize is the size of the ranges of a pattern that ignores case: each of their characters is looked up when the
// pattern is parsed. Ranges within ASCII are short.
func foldingSize(pattern string) int {
	const sizeOfRange = 1000
	if !ignoresCase.MatchString(pattern) {
		return 0
	}
	return sizeOfRange * len(longRange.FindAllStringIndex(pattern, -1))
}

var (
	ignoresCase = regexp.MustCompile(`\(\?[a-zA-Z-]*i`)
	longRange   = regexp.MustCompile(`-(\\|[^\x00-\x7f])`)
)

// classesSize is the size of the classes of a pattern: \pL is a list of hundreds of ranges. Repetitions share it.
func classesSize(re *syntax.Regexp) int {
	size := len(re.Rune) / runesOfCharacter
	if re.Op == syntax.OpLiteral {
		size = 0
	}
	for _, sub := range re.Sub {
		size += classesSize(sub)
	}
	return size
}

// runesOfCharacter is how many limits of the ranges of a class count as one character.
const runesOfCharacter = 20
