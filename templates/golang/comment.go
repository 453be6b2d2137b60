package golang

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// paragraphs makes a comment of texts, with an empty line between them. Empty ones are left out.
func paragraphs(texts ...doc) doc {
	var d doc
	for _, text := range texts {
		if len(text) == 0 {
			continue
		}
		if len(d) > 0 {
			d = append(d, "")
		}
		d = append(d, text...)
	}
	return d
}

// sentence is a paragraph of bqgen's own words. What comes from the catalog must have gone through oneLine.
func sentence(format string, args ...any) doc {
	return wrap(fmt.Sprintf(format, args...))
}

// text is a text of the catalog. Its lines stay lines.
func text(s string) doc {
	var d doc
	for line := range strings.SplitSeq(lineEnds.Replace(s), "\n") {
		d = append(d, wrap(clean(line))...)
	}
	for len(d) > 0 && d[0] == "" {
		d = d[1:]
	}
	for len(d) > 0 && d[len(d)-1] == "" {
		d = d[:len(d)-1]
	}
	return squeeze(d)
}

// squeeze leaves one empty line where there are several.
func squeeze(d doc) doc {
	var out doc
	for i, line := range d {
		if line != "" || d[i-1] != "" {
			out = append(out, line)
		}
	}
	return out
}

// oneLine puts a text of the catalog on one line.
func oneLine(s string) string {
	return strings.Join(strings.Fields(clean(lineEnds.Replace(s))), " ")
}

// lineEnds makes every line end that anything might see as one into the same.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// clean makes the invisible visible: control and format characters, which could end a comment, stop the compiler or
// show a reader something else than what is there.
func clean(line string) string {
	var b strings.Builder
	var last rune
	for _, r := range line {
		switch {
		case ' ' <= r && r <= '~':
			b.WriteRune(r)
		case r == '\t' || r == '\n':
			b.WriteByte(' ')
		case (r == '\u200c' || r == '\u200d') && last > unicode.MaxASCII: // joiners, needed in scripts and emoji
			b.WriteRune(r)
		case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return strings.TrimSpace(b.String())
}

// wrap breaks a line where it gets too long to review. Each part is made harmless on its own.
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

// commands are the starts of a comment's line that mean something to a tool, even behind the space that every line
// gets: a build constraint, a deprecation, a note in the package's documentation, a heading, a link target.
var commands = regexp.MustCompile(`^(\+build\b|(?i:deprecated):|[A-Z][A-Z]+\(|#|\[[^\]]*\]:|Code generated\b)`)

// harmless takes the meaning from a line that has one, visibly.
func harmless(line string) string {
	if commands.MatchString(line) {
		return `\` + line
	}
	return line
}
