package report

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// A Report is the outcome of one command.
type Report struct {
	Command  string // such as "lint"
	Version  string // of bqgen; may be empty
	Subject  string // the path of the file that was checked
	Rules    []Rule // the rules that were checked; findings of other rules are fine
	Findings []Finding
}

// A Rule explains the findings that carry its ID.
type Rule struct {
	ID       string
	Purpose  string
	Severity schema.Severity // by default
}

// A Finding is a diagnostic with the details that some commands add.
type Finding struct {
	schema.Diagnostic
	Details []Detail
}

// A Detail is a named fact, such as a document that shows the fault.
type Detail struct {
	Name  string // a word in lower case: a key for scripts
	Value string
}

// FindingsOf returns diagnostics as findings without details.
func FindingsOf(ds schema.Diagnostics) []Finding {
	findings := make([]Finding, len(ds))
	for i, d := range ds {
		findings[i].Diagnostic = d
	}
	return findings
}

// Fails reports whether the findings fail the run: errors do, and when strict warnings do too.
func (r *Report) Fails(strict bool) bool {
	return r.count(schema.Error) > 0 || strict && r.count(schema.Warning) > 0
}

func (r *Report) count(s schema.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// Summary returns one line with the number of findings of each severity.
func (r *Report) Summary() string {
	var parts []string
	for _, s := range []schema.Severity{schema.Error, schema.Warning, schema.Note} {
		if n := r.count(s); n > 0 {
			parts = append(parts, text.Count(n, s.String()))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no findings"}
	}
	return fmt.Sprintf("bqgen %s: %s: %s", r.Command, printable(r.Subject), strings.Join(parts, ", "))
}
