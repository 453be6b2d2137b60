package golang

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
)

// paragraphs makes a comment of texts, with an empty line between them. It leaves out empty texts and repetitions.
func paragraphs(texts ...doc) doc {
	var d doc
	for i, t := range texts {
		isSame := func(earlier doc) bool { return slices.Equal(earlier, t) }
		if len(t) == 0 || slices.ContainsFunc(texts[:i], isSame) {
			continue
		}
		if len(d) > 0 {
			d = append(d, "")
		}
		d = append(d, t...)
	}
	return d
}

// sentence is a paragraph in bqgen's own words. Text of the catalog must have gone through text.OneLine or quoted.
func sentence(format string, args ...any) doc {
	return wrap(fmt.Sprintf(format, args...))
}

// prose is a text of the catalog. Its lines stay lines; several empty ones become one.
func prose(s string) doc {
	var d doc
	for line := range strings.SplitSeq(text.Visible(s), "\n") {
		wrapped := wrap(line)
		if isEmpty := wrapped[0] == ""; isEmpty && (len(d) == 0 || d[len(d)-1] == "") {
			continue
		}
		d = append(d, wrapped...)
	}
	if len(d) > 0 && d[len(d)-1] == "" {
		d = d[:len(d)-1]
	}
	return d
}

// wrap breaks a line where it gets too long for a review. Each part is made harmless.
func wrap(line string) doc {
	const width = 110
	var d doc
	var current strings.Builder
	count := 0
	for word := range strings.FieldsSeq(line) {
		size := utf8.RuneCountInString(word)
		if count > 0 && count+1+size > width {
			d = append(d, harmless(current.String()))
			current.Reset()
			count = 0
		}
		if count > 0 {
			current.WriteByte(' ')
			count++
		}
		current.WriteString(word)
		count += size
	}
	return append(d, harmless(current.String()))
}

// commands match the start of a comment line that means something to a tool, even after the space that every line gets:
// a build constraint, a deprecation, a note in the package's documentation, a heading, a link target.
var commands = regexp.MustCompile(`^(\+build\b|(?i:deprecated):|[A-Z][A-Z]+\(|#|\[[^\]]*\]:|Code generated\b)`)

// harmless takes the meaning from a line that has one, visibly.
func harmless(line string) string {
	if commands.MatchString(line) {
		return `\` + line
	}
	return line
}

// quoted shows a name of the catalog in a comment, in quotes only where they help.
func quoted(name string) string {
	if commands.MatchString(name) {
		return strconv.Quote(name)
	}
	return text.Name(name)
}

// shown is a value of the catalog on one line, shortened so that it does not fill the comment.
func shown(value string) string { return text.OneLine(text.Shorten(value, longestShown)) }

// longestShown is the number of characters that a comment shows of a value.
const longestShown = 100
