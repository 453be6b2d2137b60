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
	column := 1
	for i := range line {
		if column == n.Pos.Column {
			start := i + len(properties(line[i:]))
			return l.endFrom(n, n.Pos.Line, line[:start], line[start:])
		}
		column++
	}
	return schema.Pos{}
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

// endFrom finds the end of a scalar whose text starts with rest, on a line that starts with before.
func (l *lines) endFrom(n *Node, number int, before, rest string) schema.Pos {
	on := func(length int) schema.Pos {
		column := 1 + utf8.RuneCountInString(before) + utf8.RuneCountInString(rest[:length])
		return schema.Pos{File: n.Pos.File, Line: number, Column: column}
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
			before, rest = "", l.line(number)
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
