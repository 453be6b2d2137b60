package console

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Width returns the number of characters that a line on w may have, or false if w does not lead to a terminal.
func Width(w io.Writer) (int, bool) {
	c, ok := w.(*Writer)
	if !ok {
		return 0, false
	}
	f, ok := c.to.(*os.File)
	if !ok {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	return width, err == nil && width > 0
}

// wantsColors reports whether w is a terminal, and its user wants colors (no-color.org).
func wantsColors(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	return term.IsTerminal(int(f.Fd()))
}
