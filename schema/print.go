package schema

import (
	"bufio"
	"fmt"
	"io"
)

// String gives the place in the form that editors and terminals turn into a link: file:line:column.
func (p Pos) String() string {
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// WriteText prints findings for people, one line each and the hint, when there is one, on a line below:
//
//	urns.yaml:12:7: unknown key "queu" (unknown-key)
//	    hint: did you mean "queue"?
//	urns.yaml:20:9: warning: readOnly is ignored (ignored-keyword)
func WriteText(w io.Writer, findings Diagnostics) error {
	out := bufio.NewWriter(w)
	for _, d := range findings {
		severity := ""
		if d.Severity != Error {
			severity = d.Severity.String() + ": "
		}
		fmt.Fprintf(out, "%v: %s%s (%s)\n", d.Pos, severity, d.Message, d.Rule)
		if d.Hint != "" {
			fmt.Fprintf(out, "    hint: %s\n", d.Hint)
		}
	}
	return out.Flush()
}
