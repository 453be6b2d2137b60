package report

import (
	"cmp"
	"fmt"
	"slices"
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

// Waived is the name of the detail that says why a finding was accepted. It is a note, and would be an error or a
// warning otherwise.
const Waived = "waived"

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

// minByRule is the number of findings from which on a summary counts them by rule.
const minByRule = 10

// Summary returns one line with the number of findings of each severity; of many, with that of each rule too.
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
	summary := fmt.Sprintf("bqgen %s: %s: %s", r.Command, printable(r.Subject), strings.Join(parts, ", "))
	if len(r.Findings) < minByRule {
		return summary
	}
	var rules []string
	for _, c := range r.byRule() {
		rules = append(rules, fmt.Sprintf("%d %s", c.Count, c.Rule))
	}
	return summary + " (" + strings.Join(rules, ", ") + ")"
}

// A ruleCount is the number of findings of a rule.
type ruleCount struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
}

// byRule counts the findings of each rule, the most frequent first.
func (r *Report) byRule() []ruleCount {
	count := map[string]int{}
	for _, f := range r.Findings {
		count[f.Rule]++
	}
	all := make([]ruleCount, 0, len(count))
	for rule, n := range count {
		all = append(all, ruleCount{rule, n})
	}
	slices.SortFunc(all, func(a, b ruleCount) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Rule, b.Rule))
	})
	return all
}
