// Package report prints findings for those who read them: people at a terminal, scripts, and the tools that show a
// pull request. What a finding is, [schema.Diagnostic] says; here is only how it looks.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/babelqueue/bqgen/schema"
)

// A Report is the outcome of one command.
type Report struct {
	Command  string // such as "lint"
	Version  string // of bqgen; may be empty
	Subject  string // what was looked at, as a path
	Rules    []Rule // what could have been found; findings of other rules are fine
	Findings []Finding
}

// A Rule explains the findings that carry its ID.
type Rule struct {
	ID       string
	Purpose  string
	Severity schema.Severity // by default
}

// A Finding is a diagnostic with what some commands know besides.
type Finding struct {
	schema.Diagnostic
	Details []Detail
}

// A Detail is a named fact, such as a document that shows the fault.
type Detail struct {
	Name  string // a word in lower case: a key for scripts
	Value string
}

// FindingsOf takes over diagnostics that have no details.
func FindingsOf(ds schema.Diagnostics) []Finding {
	findings := make([]Finding, len(ds))
	for i, d := range ds {
		findings[i].Diagnostic = d
	}
	return findings
}

// count gives the number of findings of a severity.
func (r *Report) count(s schema.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Has reports whether there is a finding of the severity.
func (r *Report) Has(s schema.Severity) bool { return r.count(s) > 0 }

// Summary is one line that says how many findings of which severity there are.
func (r *Report) Summary() string {
	var parts []string
	for _, s := range []schema.Severity{schema.Error, schema.Warning, schema.Note} {
		switch n := r.count(s); n {
		case 0:
		case 1:
			parts = append(parts, "1 "+s.String())
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, s))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no findings"}
	}
	return fmt.Sprintf("bqgen %s: %s: %s", r.Command, printable(r.Subject), strings.Join(parts, ", "))
}

// A Printer writes a report in one format.
type Printer func(w io.Writer, r *Report) error

// Formats are the names that [ByName] knows.
var Formats = []string{"text", "json", "github", "sarif"}

// ByName finds a printer; color is for text alone.
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
	return nil, fmt.Errorf("there is no format %q: %s", format, strings.Join(Formats, ", "))
}

// printable keeps text of unknown origin, such as a file's name, on one line and from steering a terminal.
func printable(s string) string {
	if !slices.ContainsFunc([]rune(s), func(r rune) bool { return !isPrint(r) }) {
		return s
	}
	return fmt.Sprintf("%q", s)
}

// maxDetail is how much of a detail people are shown, in bytes. A document may be as long as a schema allows.
const maxDetail = 2000

// readable makes a detail fit for people: of bearable length, on one line, without characters that steer a terminal or
// turn the direction of text. What they become is what JSON has for them.
func readable(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i >= maxDetail {
			fmt.Fprintf(&b, "... (%d bytes in all: --format json has them)", len(s))
			break
		}
		if isPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
