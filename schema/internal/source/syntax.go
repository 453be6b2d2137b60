package source

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// A mark is a place in the text of a file; the zero mark is none.
type mark struct{ line, column int }

func (p *parser) pos(m mark) schema.Pos {
	return schema.Pos{File: p.file.Name, Line: m.line, Column: m.column}
}

var yamlErrorText = regexp.MustCompile(`^yaml: (?:line ([0-9]+): )?(.*)$`)

// reportSyntax reports text that is not YAML: stop is where the parser gave up, opened where the construct began that
// it was reading.
func (p *parser) reportSyntax(src []byte, message string, stop, opened mark) {
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
		stop = opened // the line that was meant as a key, not the one after it
	case !stop.before(endOf(bytes.TrimRight(src, " \t\r\n"))):
		stop = opened // something is left open: its start is more useful than the end of the file
	}
	rule, hint := schema.RuleSyntax, ""
	if at, ref := commentedRef(src, message, stop, opened); ref != "" {
		stop, hint = at, commentHint(ref)
	} else {
		stop = stop.within(p.end)
		hint = syntaxHint(src, message, stop, opened)
	}
	if strings.Contains(message, "exceeded max depth") {
		rule, hint = schema.RuleTooDeep, ""
	}
	p.Report(p.pos(stop), rule, hint, "not valid YAML: %s", text.Short(message))
}

var unquotedRef = regexp.MustCompile(`\$ref:[ \t]+(#[^\s,{}\[\]]+)`)

// commentedRef finds a $ref whose unquoted # has made a comment of the rest of the line, the closing bracket included:
// {$ref: #/types/Money}. It returns "" when the text is wrong for another reason.
func commentedRef(src []byte, message string, stop, opened mark) (at mark, ref string) {
	var number int
	switch {
	case strings.Contains(message, "did not find expected ','"):
		number = opened.line
	case strings.Contains(message, "did not find expected node content"): // nothing follows the comment
		number = stop.line - 1
	}
	line := lineOf(src, number)
	found := unquotedRef.FindSubmatchIndex(line)
	if found == nil {
		return mark{}, ""
	}
	return mark{number, 1 + utf8.RuneCount(line[:found[2]])}, string(line[found[2]:found[3]])
}

// lineOf returns a line, counted from 1, or nothing when there is no such line.
func lineOf(src []byte, number int) []byte {
	for i := 1; i < number; i++ {
		_, rest, found := bytes.Cut(src, []byte("\n"))
		if !found {
			return nil
		}
		src = rest
	}
	if number < 1 {
		return nil
	}
	line, _, _ := bytes.Cut(src, []byte("\n"))
	return line
}

// commentHint says what to do about a text that # has made a comment.
func commentHint(comment string) string {
	return "# starts a comment, quote it: " + text.Quote(comment)
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

// endOf returns the place behind the last character.
func endOf(src []byte) mark {
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	src = bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
	last := src[bytes.LastIndexByte(src, '\n')+1:]
	return mark{1 + bytes.Count(src, []byte("\n")), 1 + utf8.RuneCount(last)}
}

func syntaxHint(src []byte, message string, stop, opened mark) string {
	switch {
	case charAt(src, stop) == '\t':
		return "indent with spaces: YAML does not allow tabs"
	case strings.Contains(message, "cannot start any token"):
		return "quote the value"
	case strings.Contains(message, "mapping values are not allowed"):
		return `quote text that contains ": ", and indent the keys of a mapping alike`
	case strings.Contains(message, "unexpected end of stream"):
		return "the quoted text that starts here is not closed"
	case strings.Contains(message, "did not find expected ','") && opened != stop && opened != (mark{}):
		return "the bracket opened at line " + strconv.Itoa(opened.line) + ", column " +
			strconv.Itoa(opened.column) + " is not closed"
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

// charAt returns the character at a mark, or 0.
func charAt(src []byte, m mark) rune {
	line := lineOf(src, m.line)
	for column := 1; column < m.column; column++ {
		_, size := utf8.DecodeRune(line)
		line = line[size:]
	}
	if len(line) == 0 {
		return 0
	}
	r, _ := utf8.DecodeRune(line)
	return r
}
