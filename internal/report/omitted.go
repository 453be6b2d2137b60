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

// shown returns the findings that are printed, in their order, and counts the others. Errors come before warnings, and
// warnings before notes, so that a flood of notes hides no error.
func (r *Report) shown() ([]Finding, []omitted) {
	if len(r.Findings) <= maxFindings {
		return r.Findings, nil
	}
	left := maxFindings
	room := map[schema.Severity]int{}
	for _, s := range []schema.Severity{schema.Error, schema.Warning, schema.Note} {
		room[s] = min(left, r.count(s))
		left -= room[s]
	}
	var shown []Finding
	counts := map[omitted]int{}
	for _, f := range r.Findings {
		if room[f.Severity] > 0 {
			room[f.Severity]--
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
