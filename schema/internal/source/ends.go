package source

import (
	"strings"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/schema"
)

// lines is the text of a file by line.
type lines struct {
	src []byte
	all []string // made when it is first needed

	// The place of the last look-up. Most look-ups are in order, and a file may be one long line.
	last   mark
	offset int
}

func (l *lines) line(number int) string {
	if l.all == nil {
		l.all = splitLines(l.src)
	}
	if number < 1 || number > len(l.all) {
		return ""
	}
	return l.all[number-1]
}

// splitLines splits text at the line ends of YAML.
func splitLines(src []byte) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(string(src), "\r\n", "\n"), "\r", "\n"), "\n")
}

// endOf returns the place behind a scalar. The YAML library does not tell, so the text at its start does: an alias ends
// with its name, text in quotes at the closing quote, and text without quotes where it stands in the file as it was
// read. Otherwise, for blocks of text and text in several lines, it returns the zero Pos.
func (l *lines) endOf(n *Node) schema.Pos {
	line := l.line(n.Pos.Line)
	start := l.offsetIn(line, mark{n.Pos.Line, n.Pos.Column})
	if start >= len(line) {
		return schema.Pos{}
	}
	before := properties(line[start:])
	return l.endFrom(n, n.Pos.Line, n.Pos.Column+utf8.RuneCountInString(before), line[start+len(before):])
}

// offsetIn returns where a place is in its line, in bytes; the length of the line when it is behind its end.
func (l *lines) offsetIn(line string, at mark) int {
	column, offset := 1, 0
	if l.last.line == at.line && l.last.column <= at.column {
		column, offset = l.last.column, l.offset
	}
	for ; column < at.column && offset < len(line); column++ {
		_, size := utf8.DecodeRuneInString(line[offset:])
		offset += size
	}
	l.last, l.offset = mark{at.line, column}, offset
	return offset
}

// properties returns the anchor and the tag in front of a value, and the blanks behind them.
func properties(s string) string {
	rest := s
	for rest != "" && (rest[0] == '&' || rest[0] == '!') {
		i := strings.IndexAny(rest, " \t")
		if i < 0 {
			return s[:len(s)-len(rest)]
		}
		rest = strings.TrimLeft(rest[i:], " \t")
	}
	return s[:len(s)-len(rest)]
}

// endFrom finds the end of a scalar whose text starts with rest, at a column of a line.
func (l *lines) endFrom(n *Node, number, column int, rest string) schema.Pos {
	on := func(length int) schema.Pos {
		return schema.Pos{File: n.Pos.File, Line: number, Column: column + utf8.RuneCountInString(rest[:length])}
	}
	switch {
	case rest == "":
	case rest[0] == '*':
		if i := strings.IndexAny(rest, " \t,[]{}"); i >= 0 {
			return on(i)
		}
		return on(len(rest))
	case rest[0] == '\'' || rest[0] == '"':
		quote := rest[0]
		for from := 1; number <= len(l.all); from = 0 {
			if i := closingQuote(rest, quote, from); i >= 0 {
				return on(i + 1)
			}
			number++
			column, rest = 1, l.line(number)
		}
	case n.Text != "" && strings.HasPrefix(rest, n.Text):
		return on(len(n.Text))
	}
	return schema.Pos{}
}

// closingQuote returns the position of the quote that ends the text, or -1 when it is not on this line.
func closingQuote(s string, quote byte, from int) int {
	for i := from; i < len(s); i++ {
		switch {
		case quote == '"' && s[i] == '\\':
			i++
		case s[i] != quote:
		case quote == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		default:
			return i
		}
	}
	return -1
}
