package console

import (
	"io"
	"os"

	"golang.org/x/term"
)

// wantsColors reports whether w is a terminal, and its user wants colors (no-color.org).
func wantsColors(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	return term.IsTerminal(int(f.Fd()))
}

// Width returns how many characters a line of w's terminal has, or 0 if w is no Writer to a terminal.
func Width(w io.Writer) int {
	c, ok := w.(*Writer)
	if !ok {
		return 0
	}
	f, ok := c.to.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
