package jsonschema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

// sameInBoth matches regular expressions, without their groups, that mean the same to Go and to validators that compile
// them as JavaScript in Unicode mode does. Those refuse every escape that has no meaning, and brackets without a pair.
var sameInBoth = func() *regexp.Regexp {
	const (
		escaped   = `\\[tnrfv.\\^$*+?()\[\]{}|/]`
		category  = `\\p\{[A-Z][a-z]?\}`
		inClass   = `(?:[^\\\[\]-]|` + escaped + `|\\-)`
		class     = `\[\^?-?(?:` + inClass + `(?:-` + inClass + `)?|\\[dDwW]|` + category + `)+-?\]`
		quantity  = `\{[0-9]+(?:,[0-9]*)?\}`
		character = `[^\\\[\]{}]|` + escaped + `|\\[dDwWbB]|` + category
	)
	return regexp.MustCompile(`^(?:` + character + `|` + class + `|` + quantity + `)*$`)
}()

// portablePattern returns a regular expression of Go as validators that compile it as JavaScript understand it.
func portablePattern(pattern string) string {
	if rest := strings.ReplaceAll(pattern, "(?:", ""); !strings.Contains(rest, "(?") && sameInBoth.MatchString(rest) {
		return pattern
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return pattern // the loader refuses it
	}
	var w ecmaWriter
	w.write(parsed)
	return w.String()
}

// An ecmaWriter writes regular expressions of Go in the syntax of JavaScript's Unicode mode.
type ecmaWriter struct{ strings.Builder }

var ecmaAssertions = map[syntax.Op]string{
	syntax.OpEmptyMatch: `(?:)`, syntax.OpNoMatch: `[]`, syntax.OpAnyChar: `[^]`, syntax.OpAnyCharNotNL: `[^\n]`,
	syntax.OpBeginText: `^`, syntax.OpEndText: `$`, syntax.OpBeginLine: `(?:^|(?<=\n))`, syntax.OpEndLine: `(?=\n|$)`,
	syntax.OpWordBoundary: `\b`, syntax.OpNoWordBoundary: `\B`,
}

func (w *ecmaWriter) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.literal(r, re.Flags&syntax.FoldCase != 0)
		}
	case syntax.OpCharClass:
		w.class(re.Rune)
	case syntax.OpCapture:
		w.group(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if sub.Op == syntax.OpAlternate {
				w.group(sub)
			} else {
				w.write(sub)
			}
		}
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			if i > 0 {
				w.WriteByte('|')
			}
			w.write(sub)
		}
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		w.repeated(re)
	default:
		w.WriteString(ecmaAssertions[re.Op])
	}
}

func (w *ecmaWriter) group(re *syntax.Regexp) {
	w.WriteString("(?:")
	w.write(re)
	w.WriteByte(')')
}

func (w *ecmaWriter) repeated(re *syntax.Regexp) {
	sub := re.Sub[0]
	isOne := sub.Op == syntax.OpLiteral && len(sub.Rune) == 1 || sub.Op == syntax.OpCharClass ||
		sub.Op == syntax.OpAnyChar || sub.Op == syntax.OpAnyCharNotNL || sub.Op == syntax.OpCapture
	if isOne {
		w.write(sub)
	} else {
		w.group(sub)
	}
	switch {
	case re.Op == syntax.OpStar:
		w.WriteByte('*')
	case re.Op == syntax.OpPlus:
		w.WriteByte('+')
	case re.Op == syntax.OpQuest:
		w.WriteByte('?')
	case re.Max < 0:
		fmt.Fprintf(w, "{%d,}", re.Min)
	case re.Min == re.Max:
		fmt.Fprintf(w, "{%d}", re.Min)
	default:
		fmt.Fprintf(w, "{%d,%d}", re.Min, re.Max)
	}
	if re.Flags&syntax.NonGreedy != 0 {
		w.WriteByte('?')
	}
}

func (w *ecmaWriter) literal(r rune, anyCase bool) {
	if anyCase && unicode.SimpleFold(r) != r {
		w.WriteByte('[')
		w.rune(r)
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			w.rune(other)
		}
		w.WriteByte(']')
		return
	}
	w.rune(r)
}

// class writes a set of characters, given as the bounds of its ranges. A set that has the last character is written as
// what it leaves out.
func (w *ecmaWriter) class(bounds []rune) {
	w.WriteByte('[')
	if n := len(bounds); n > 0 && bounds[n-1] == unicode.MaxRune {
		w.WriteByte('^')
		next := rune(0)
		for i := 0; i < n; i += 2 {
			if bounds[i] > next {
				w.runes(next, bounds[i]-1)
			}
			next = bounds[i+1] + 1
		}
	} else {
		for i := 0; i < n; i += 2 {
			w.runes(bounds[i], bounds[i+1])
		}
	}
	w.WriteByte(']')
}

func (w *ecmaWriter) runes(first, last rune) {
	w.rune(first)
	if last > first {
		w.WriteByte('-')
		w.rune(last)
	}
}

func (w *ecmaWriter) rune(r rune) {
	switch {
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		w.WriteByte('\\')
		w.WriteRune(r)
	case r == '-' || !unicode.IsPrint(r): // a hyphen may stand in a class
		fmt.Fprintf(w, `\u{%x}`, r)
	default:
		w.WriteRune(r)
	}
}
