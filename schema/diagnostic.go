package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// A Diagnostic is a finding about a catalog: where, which rule, what is wrong and what to do.
type Diagnostic struct {
	Pos Pos
	// End is the place behind the last character of the key or scalar that starts at Pos. It is the zero Pos when only
	// the start is known: for a list or a mapping in brackets, text in several lines without quotes, a block of text,
	// a place that is not YAML, and a place in no file.
	End     Pos
	Rule    string // stable identifier, such as "unknown-key"
	Message string // lower case, no trailing stop, one line
	Hint    string // what to do about it; may be empty
	// Severity is Error by default.
	Severity Severity
}

// String returns the finding on one line, without its hint: urns.yaml:12:7: warning: message (rule).
func (d Diagnostic) String() string {
	severity := ""
	if d.Severity != Error {
		severity = d.Severity.String() + ": "
	}
	return fmt.Sprintf("%v: %s%s (%s)", d.Pos, severity, d.Message, d.Rule)
}

// Severity decides whether a finding stops the run.
type Severity int

// The severities.
const (
	Error   Severity = iota // the catalog cannot be used
	Warning                 // it can, and somebody should look at it
	Note                    // nothing is wrong: something to know
)

// String returns "error", "warning" or "note".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "error"
}

// Diagnostics are findings, sorted by position, then rule, without duplicates. Build them with [NewDiagnostics].
//
// They implement error, so that a program that loads a catalog can return them as one: use [Diagnostics.Err], which
// returns nil when the catalog can be used, and errors.AsType[Diagnostics] to get them back. A nil Diagnostics in an
// error is not a nil error.
type Diagnostics []Diagnostic

// NewDiagnostics returns a sorted set of findings. It does not keep the slice.
func NewDiagnostics(findings ...Diagnostic) Diagnostics {
	if len(findings) == 0 {
		return nil
	}
	set := slices.Clone(findings)
	slices.SortStableFunc(set, Diagnostic.Compare)
	return slices.Compact(set)
}

// HasErrors reports whether one of the findings stops the run. Warnings do not.
func (ds Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Err returns the findings as an error when one of them stops the run, else nil.
func (ds Diagnostics) Err() error {
	if !ds.HasErrors() {
		return nil
	}
	return ds
}

// maxErrorLines is the number of findings that the text of an error has.
const maxErrorLines = 10

// Error returns the first ten findings, one a line, and the number of the others.
func (ds Diagnostics) Error() string {
	if len(ds) == 0 {
		return "no findings"
	}
	var lines []string
	for _, d := range ds[:min(len(ds), maxErrorLines)] {
		lines = append(lines, d.String())
	}
	if more := len(ds) - len(lines); more > 0 {
		lines = append(lines, "and "+text.Count(more, "more finding"))
	}
	return strings.Join(lines, "\n")
}

// Merge returns the findings of both sets as one set.
func (ds Diagnostics) Merge(more Diagnostics) Diagnostics {
	return NewDiagnostics(slices.Concat(ds, more)...)
}

// Compare orders findings by position, then rule, then what they say.
func (d Diagnostic) Compare(other Diagnostic) int {
	return cmp.Or(
		d.Pos.Compare(other.Pos),
		cmp.Compare(d.Rule, other.Rule),
		cmp.Compare(d.Message, other.Message),
		cmp.Compare(d.Hint, other.Hint),
		cmp.Compare(d.Severity, other.Severity),
		d.End.Compare(other.End),
	)
}
