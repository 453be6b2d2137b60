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
