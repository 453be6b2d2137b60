package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// Text prints findings for people: each on one line, its details and its hint on the lines below. Whatever a catalog
// contains, it cannot begin a line or steer a terminal.
//
//	urns.yaml:12:7: warning: URN "urn:babel:orders:created" has no summary (missing-summary)
//	    hint: add summary: a sentence that says what has happened
//
// Without colors an error is not called one: most findings are.
func Text(w io.Writer, r *Report, color bool) error {
	out := bufio.NewWriter(w)
	paint := painter(color)
	shown, omitted := r.shown()
	for _, f := range shown {
		place := fmt.Sprintf("%s:%d:%d:", printable(f.Pos.File), f.Pos.Line, f.Pos.Column)
		severity, rule := severityText(f.Severity, color, paint), paint("2", "("+f.Rule+")")
		fmt.Fprintf(out, "%s %s%s %s\n", paint("1", place), severity, text.Escape(f.Message), rule)
		for _, d := range f.Details {
			fmt.Fprintf(out, "    %s: %s\n", d.Name, readable(d.Value))
		}
		if f.Hint != "" {
			fmt.Fprintf(out, "    hint: %s\n", text.Escape(f.Hint))
		}
	}
	if omitted != nil {
		fmt.Fprintln(out, omittedText(omitted))
	}
	return out.Flush()
}

// painter returns a function that wraps text in an SGR code, or leaves it as it is.
func painter(color bool) func(code, s string) string {
	if !color {
		return func(_, s string) string { return s }
	}
	return func(code, s string) string { return "\x1b[" + code + "m" + s + "\x1b[0m" }
}

func severityText(s schema.Severity, color bool, paint func(code, s string) string) string {
	switch {
	case s == schema.Warning:
		return paint("33", "warning:") + " "
	case s == schema.Note:
		return paint("36", "note:") + " "
	case color:
		return paint("31", "error:") + " "
	}
	return ""
}
