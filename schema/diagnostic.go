package schema

import (
	"cmp"
	"slices"
)

// A Diagnostic is one finding about a catalog: where, which rule, what is wrong and what to do.
type Diagnostic struct {
	Pos Pos
	// End is the place behind the last character of the key or scalar that starts at Pos. It is the zero Pos when only
	// the start is known.
	End     Pos
	Rule    string // stable identifier, such as "unknown-key"
	Message string // lower case, no trailing stop, one line
	Hint    string // what to do about it; may be empty
	// Severity is Error unless said otherwise.
	Severity Severity
}

// Severity says whether a finding stops the run.
type Severity int

// The severities.
const (
	Error   Severity = iota // the catalog cannot be used
	Warning                 // it can, and somebody should look
	Note                    // nothing is wrong: something to know
)

// String is "error", "warning" or "note".
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "error"
}

// Diagnostics are findings, sorted by position, then rule, without duplicates. Build them with
// [NewDiagnostics]; print them with [WriteText].
type Diagnostics []Diagnostic

// NewDiagnostics makes a sorted set of findings. It keeps the slice it is given no longer than the call.
func NewDiagnostics(findings ...Diagnostic) Diagnostics {
	if len(findings) == 0 {
		return nil
	}
	set := slices.Clone(findings)
	slices.SortStableFunc(set, compareDiagnostics)
	return slices.Compact(set)
}

// HasErrors reports whether one of the findings stops the run. Warnings do not.
func (ds Diagnostics) HasErrors() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Merge returns the findings of both sets as one set.
func (ds Diagnostics) Merge(more Diagnostics) Diagnostics {
	return NewDiagnostics(slices.Concat(ds, more)...)
}

func compareDiagnostics(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Hint, b.Hint),
		cmp.Compare(a.Severity, b.Severity),
	)
}
