package console

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// A Writer writes text line by line and makes it harmless:
//
//   - Control characters, line ends other than \n, and characters that change the direction of text or cannot be seen
//     are written as \u001b. Only the colors of bqgen reach a terminal.
//   - ##[NAME], ##vso[NAME] and ##teamcity[NAME], which Azure, GitHub and TeamCity obey anywhere in a line, become
//     #\u0023[NAME] and so on.
//   - ::NAME::, which GitHub obeys at the start of a line, becomes \u003a:NAME::. See [Command] for bqgen's own.
//
// In JSON, where these can only be part of a string, the text stays the same string.
type Writer struct {
	to     io.Writer
	colors bool
	rest   []byte // of a line that is not complete
	passes bool   // the terminal shows a line that the next output replaces
	err    error  // the first of to
}

// New returns a writer to a file or another writer.
func New(to io.Writer) *Writer { return &Writer{to: to, colors: wantsColors(to)} }

// HasColors reports whether w is a Writer to a terminal whose user wants colors.
func HasColors(w io.Writer) bool {
	c, ok := w.(*Writer)
	return ok && c.colors
}

// Write writes all complete lines. It keeps the remainder until its line is complete, or until [Writer.Flush].
func (w *Writer) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 {
		return len(p), w.err
	}
	var out strings.Builder
	for line := range strings.Lines(string(w.rest[:end])) {
		out.WriteString(breakStart(w.harmless(line)))
	}
	w.rest = append(w.rest[:0], w.rest[end:]...)
	w.write(out.String())
	return len(p), w.err
}

// Flush writes the remainder. It returns the first error of the writer behind.
func (w *Writer) Flush() error {
	if len(w.rest) > 0 {
		w.write(breakStart(w.harmless(string(w.rest))))
		w.rest = nil
	}
	return w.err
}

// Command writes a line that GitHub is meant to obey. The caller has escaped its data. To a writer of another type the
// line is written as it is.
func Command(to io.Writer, line string) error {
	w, ok := to.(*Writer)
	if !ok {
		_, err := io.WriteString(to, line+"\n")
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	w.write(w.harmless(strings.ReplaceAll(line, "\n", "%0A")) + "\n")
	return w.err
}

// clearLine goes to the start of a terminal's line and empties it.
const clearLine = "\r\x1b[K"

// Passing shows a line that the next output to w replaces, whatever that is. An empty line takes it away, for output
// that goes elsewhere. If w does not lead to a terminal, nothing is shown and Passing returns false.
func Passing(w io.Writer, line string) bool {
	width, ok := Width(w)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	w.(*Writer).pass(line, width)
	return true
}

// pass shows as much of a line as fits, since what goes on in a second line would stay.
func (w *Writer) pass(line string, width int) {
	if line != "" || w.passes {
		w.passes = true // what was shown before is replaced
		w.write(text.Shorten(text.OneLine(line), width-1))
	}
	w.passes = line != ""
}

func (w *Writer) write(s string) {
	if w.passes {
		s, w.passes = clearLine+s, false
	}
	if w.err == nil {
		_, w.err = io.WriteString(w.to, s)
	}
}

// bracketed are the commands that count anywhere in a line.
var bracketed = regexp.MustCompile(`#(#[A-Za-z]*\[)`)

// harmless makes everything harmless except the start of the line.
func (w *Writer) harmless(line string) string {
	var out strings.Builder
	for rest := line; rest != ""; {
		n := len(rest)
		if at := w.color(rest); at != nil {
			n = at[0]
		}
		out.WriteString(bracketed.ReplaceAllStringFunc(text.EscapeLines(rest[:n]), func(s string) string {
			return `#\u0023` + s[len("##"):]
		}))
		rest = rest[n:]
		if at := w.color(rest); at != nil && at[0] == 0 {
			out.WriteString(rest[:at[1]])
			rest = rest[at[1]:]
		}
	}
	return out.String()
}

// painted are the colors that bqgen prints. None of them hides text.
var painted = regexp.MustCompile("\x1b\\[(0|1|2|31|33|36)m")

func (w *Writer) color(s string) []int {
	if !w.colors {
		return nil
	}
	return painted.FindStringIndex(s)
}

// breakStart breaks up what GitHub takes for a command at the start of a line, which may be indented.
func breakStart(line string) string {
	command := strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(command, "::") {
		return line
	}
	return line[:len(line)-len(command)] + `\u003a` + command[1:]
}
