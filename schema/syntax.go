package schema

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A mark is a place in the text; the zero mark is none.
type mark struct{ line, column int }

var yamlErrorText = regexp.MustCompile(`^yaml: (?:line ([0-9]+): )?(.*)$`)

// reportSyntax reports text that is not YAML: stop is where the parser gave up, opened where the construct
// began that it was reading.
func (l *loader) reportSyntax(text []byte, message string, stop, opened mark) {
	if m := yamlErrorText.FindStringSubmatch(message); m != nil {
		if stop == (mark{}) {
			line, _ := strconv.Atoi(m[1])
			stop = mark{line, 1}
		}
		message = m[2]
	}
	switch {
	case opened == (mark{}):
	case strings.Contains(message, "could not find expected ':'"):
		stop = opened // the line that was to be a key, not the one after it
	case !stop.before(endOf(bytes.TrimRight(text, " \t\r\n"))):
		stop = opened // something is left open: its start says more than the end of the file
	}
	stop = stop.within(l.end)

	rule, hint := ruleSyntax, syntaxHint(text, message, stop, opened)
	if strings.Contains(message, "exceeded max depth") {
		rule, hint = ruleTooDeep, ""
	}
	l.report(Pos{l.file, stop.line, stop.column}, rule, hint, "not valid YAML: %s", cut(message))
}

func (m mark) before(o mark) bool {
	return m.line < o.line || m.line == o.line && m.column < o.column
}

func (m mark) within(end mark) mark {
	if end.before(m) {
		m = end
	}
	return mark{max(1, m.line), max(1, m.column)}
}

// endOf is the place behind the last character.
func endOf(text []byte) mark {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	last := text[bytes.LastIndexByte(text, '\n')+1:]
	return mark{1 + bytes.Count(text, []byte("\n")), 1 + utf8.RuneCount(last)}
}

func syntaxHint(text []byte, message string, stop, opened mark) string {
	switch {
	case charAt(text, stop) == '\t':
		return "indent with spaces: YAML does not allow tabs"
	case strings.Contains(message, "cannot start any token"):
		return "quote the value"
	case strings.Contains(message, "mapping values are not allowed"):
		return `quote text that contains ": ", and indent the keys of a mapping alike`
	case strings.Contains(message, "unexpected end of stream"):
		return "the quoted text that starts here is not closed"
	case strings.Contains(message, "did not find expected ','") && opened != stop && opened != (mark{}):
		return "the bracket opened at line " + strconv.Itoa(opened.line) + ", column " + strconv.Itoa(opened.column) + " is not closed"
	case strings.Contains(message, "did not find expected ','"):
		return "this bracket is not closed"
	case strings.Contains(message, "could not find expected ':'"):
		return `a key is followed by ": "`
	case strings.Contains(message, "did not find expected key"), strings.Contains(message, "did not find expected '-'"):
		return "indent what belongs together alike, and quote text that starts or ends with a quote or a bracket"
	case strings.Contains(message, "unknown anchor"):
		return "an anchor (&name) has to stand before its aliases; quote text that starts with *"
	case strings.Contains(message, "incompatible YAML document"):
		return "remove the %YAML line"
	case strings.Contains(message, "undefined tag handle"):
		return "quote text that starts with !"
	}
	return ""
}

// charAt is the character at a mark, or 0.
func charAt(text []byte, m mark) rune {
	for line := 1; line < m.line; line++ {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return 0
		}
		text = text[i+1:]
	}
	for column := 1; column < m.column; column++ {
		_, size := utf8.DecodeRune(text)
		text = text[size:]
	}
	if len(text) == 0 {
		return 0
	}
	r, _ := utf8.DecodeRune(text)
	return r
}
