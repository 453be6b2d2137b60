package source

import (
	"strings"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/schema"
)

// lines is the text of a file by line.
type lines struct {
	src   []byte
	all   []string      // made when it is first needed
	marks map[int][]int // of long lines, by number: the offset of every character that is a multiple of markEvery
}

// markEvery is the distance of marks, in characters. A catalog may have everything on one line.
const markEvery = 256

// offset returns where a column of a line starts, in bytes; -1 behind its end.
func (l *lines) offset(number, column int) int {
	line := l.line(number)
	from, left := 0, column-1
	if left >= markEvery {
		marks := l.marksOf(number, line)
		if left/markEvery >= len(marks) {
			return -1
		}
		from, left = marks[left/markEvery], left%markEvery
	}
	for i := range line[from:] {
		if left == 0 {
			return from + i
		}
		left--
	}
	return -1
}

func (l *lines) marksOf(number int, line string) []int {
	marks, made := l.marks[number]
	if !made {
		count := 0
		for i := range line {
			if count%markEvery == 0 {
				marks = append(marks, i)
			}
			count++
		}
		if l.marks == nil {
			l.marks = map[int][]int{}
		}
		l.marks[number] = marks
	}
	return marks
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
	at := l.offset(n.Pos.Line, n.Pos.Column)
	if at < 0 {
		return schema.Pos{}
	}
	rest := l.line(n.Pos.Line)[at:]
	before := properties(rest)
	start := schema.Pos{File: n.Pos.File, Line: n.Pos.Line, Column: n.Pos.Column + utf8.RuneCountInString(before)}
	return l.endFrom(n, start, rest[len(before):])
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

// endFrom finds the end of a scalar whose text starts with rest, which is the remainder of a line.
func (l *lines) endFrom(n *Node, start schema.Pos, rest string) schema.Pos {
	on := func(length int) schema.Pos {
		start.Column += utf8.RuneCountInString(rest[:length])
		return start
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
		for from := 1; start.Line <= len(l.all); from = 0 {
			if i := closingQuote(rest, quote, from); i >= 0 {
				return on(i + 1)
			}
			start.Line, start.Column = start.Line+1, 1
			rest = l.line(start.Line)
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
