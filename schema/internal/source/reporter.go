package source

import (
	"fmt"

	"github.com/babelqueue/bqgen/schema"
)

// A Reporter takes the findings of a stage. After a finding, a stage goes on with what it has, and does not report what
// would only follow from the first; see package trust.
type Reporter interface {
	// Report adds an error. The hint says what to do about it and may be empty.
	Report(at schema.Pos, rule, hint, format string, args ...any)
	// Warn adds a warning.
	Warn(at schema.Pos, rule, hint, format string, args ...any)
	// Errors is the number of errors so far. A stage that compares it before and after knows whether there were any.
	Errors() int
}

// Findings is a Reporter that keeps the findings. The zero Findings is empty and ready for use.
type Findings struct {
	all    []schema.Diagnostic
	errors int
}

// Report implements [Reporter].
func (f *Findings) Report(at schema.Pos, rule, hint, format string, args ...any) {
	f.errors++
	f.add(at, rule, hint, schema.Error, fmt.Sprintf(format, args...))
}

// Warn implements [Reporter].
func (f *Findings) Warn(at schema.Pos, rule, hint, format string, args ...any) {
	f.add(at, rule, hint, schema.Warning, fmt.Sprintf(format, args...))
}

// Errors implements [Reporter].
func (f *Findings) Errors() int { return f.errors }

func (f *Findings) add(at schema.Pos, rule, hint string, severity schema.Severity, message string) {
	f.all = append(f.all, schema.Diagnostic{Pos: at, Rule: rule, Hint: hint, Severity: severity, Message: message})
}

// Diagnostics returns the findings as a set, with the ends that places knows.
func (f *Findings) Diagnostics(places *Places) schema.Diagnostics {
	if len(f.all) == 0 {
		return nil
	}
	ends := make(map[schema.Pos]schema.Pos, len(f.all))
	for _, d := range f.all {
		ends[d.Pos] = schema.Pos{}
	}
	places.ends(ends)
	for i := range f.all {
		f.all[i].End = ends[f.all[i].Pos]
	}
	return schema.NewDiagnostics(f.all...)
}
