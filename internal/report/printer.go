package report

import (
	"fmt"
	"io"
	"strings"
)

// A Printer writes a report in one format.
type Printer func(w io.Writer, r *Report) error

// Formats are the names that [ByName] knows.
var Formats = []string{"text", "json", "github", "sarif"}

// ByName returns the printer of a format. Text is the only one with colors.
func ByName(format string, color bool) (Printer, error) {
	switch format {
	case "text":
		return func(w io.Writer, r *Report) error { return Text(w, r, color) }, nil
	case "json":
		return JSON, nil
	case "github":
		return GitHub, nil
	case "sarif":
		return SARIF, nil
	}
	return nil, fmt.Errorf("there is no format %q: use %s", format, strings.Join(Formats, ", "))
}
