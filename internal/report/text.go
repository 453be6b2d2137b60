package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/babelqueue/bqgen/schema"
)

func isPrint(r rune) bool { return strconv.IsPrint(r) }

// Text prints findings for people, one line each, with what more there is to say on lines below:
//
//	urns.yaml:12:7: warning: URN "urn:babel:orders:created" has no summary (missing-summary)
//	    hint: add summary: a sentence that says what has happened
//
// An error is not called one: it is what findings are.
func Text(w io.Writer, r *Report, color bool) error {
	out := bufio.NewWriter(w)
	paint := func(code, s string) string {
		if !color {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	for _, f := range r.Findings {
		severity := ""
		switch f.Severity {
		case schema.Warning:
			severity = paint("33", "warning:") + " "
		case schema.Note:
			severity = paint("36", "note:") + " "
		default:
			if color {
				severity = paint("31", "error:") + " "
			}
		}
		place := fmt.Sprintf("%s:%d:%d:", printable(f.Pos.File), f.Pos.Line, f.Pos.Column)
		fmt.Fprintf(out, "%s %s%s %s\n", paint("1", place), severity, f.Message, paint("2", "("+f.Rule+")"))
		for _, d := range f.Details {
			fmt.Fprintf(out, "    %s: %s\n", d.Name, readable(d.Value))
		}
		if f.Hint != "" {
			fmt.Fprintf(out, "    hint: %s\n", f.Hint)
		}
	}
	return out.Flush()
}
