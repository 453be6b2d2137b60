package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// maxFindings is the number of findings that are printed. A catalog of a megabyte can have a hundred thousand.
const maxFindings = 1000

// omittedRule stands for the findings that are not printed, where something has to have a rule.
const omittedRule = "findings-omitted"

// omitted counts the findings of a rule that are not printed.
type omitted struct {
	rule     string
	severity schema.Severity
	count    int
}

// shown returns the findings that are printed, in their order, and counts the others. Errors come first, then what
// would be an error if it was not accepted, then warnings, then notes: a flood hides neither an error nor a waiver.
func (r *Report) shown() ([]Finding, []omitted) {
	if len(r.Findings) <= maxFindings {
		return r.Findings, nil
	}
	var room [notes + 1]int
	for _, f := range r.Findings {
		room[f.rank()]++
	}
	left := maxFindings
	for rank, n := range room {
		room[rank] = min(left, n)
		left -= room[rank]
	}
	var shown []Finding
	counts := map[omitted]int{}
	for _, f := range r.Findings {
		if rank := f.rank(); room[rank] > 0 {
			room[rank]--
			shown = append(shown, f)
		} else {
			counts[omitted{rule: f.Rule, severity: f.Severity}]++
		}
	}
	var all []omitted
	for o, n := range counts {
		o.count = n
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b omitted) int { return cmp.Or(int(a.severity-b.severity), cmp.Compare(a.rule, b.rule)) })
	return shown, all
}

// The ranks of findings.
const (
	errors = iota
	waived
	warnings
	notes
)

func (f Finding) rank() int {
	switch {
	case f.Severity == schema.Error:
		return errors
	case slices.ContainsFunc(f.Details, func(d Detail) bool { return d.Name == Waived }):
		return waived
	case f.Severity == schema.Warning:
		return warnings
	}
	return notes
}

// omittedText says in one line what is not printed.
func omittedText(all []omitted) string {
	total := 0
	var parts []string
	for _, o := range all {
		total += o.count
		parts = append(parts, fmt.Sprintf("%s (%s)", o.rule, text.Count(o.count, o.severity.String())))
	}
	return fmt.Sprintf("%d more findings are not shown: %s", total, strings.Join(parts, ", "))
}
