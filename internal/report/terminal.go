package report

import (
	"io"
	"os"

	"golang.org/x/term"
)

// HasColors reports whether w is a terminal, and its user wants colors (no-color.org).
func HasColors(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	return term.IsTerminal(int(f.Fd()))
}
