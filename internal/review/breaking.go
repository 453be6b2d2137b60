package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/compat"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// BreakingOptions are what a comparison needs besides the catalogs.
type BreakingOptions struct {
	HideSafe bool      // leave out changes that break nothing
	Today    time.Time // the time by which ignore comments expire
}

// Breaking compares a catalog with its earlier version. An earlier version with errors is an error: it cannot be
// mended in the catalog.
func Breaking(catalog string, earlier Earlier, o BreakingOptions) (*report.Report, error) {
	c, findings, err := load.Load(catalog)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Command: "breaking", Subject: catalog, Rules: breakingRules()}
	if c == nil {
		r.Findings = report.FindingsOf(findings)
		return r, nil
	}
	old, oldFindings, err := earlier()
	if err != nil {
		return nil, err
	}
	if old == nil {
		first := oldFindings[0]
		return nil, fmt.Errorf("read the earlier catalog: %v: %s (%s)", first.Pos, first.Message, first.Rule)
	}
	changes := compat.Compare(old, c, compat.Options{OldNames: goNames(old), NewNames: goNames(c)})
	r.Findings = report.FindingsOf(findings.Merge(compat.Waive(changes, c, o.Today)))
	for _, change := range changes {
		if !o.HideSafe || !change.Safe() {
			r.Findings = append(r.Findings, report.Finding{Diagnostic: change.Diagnostic, Details: details(change)})
		}
	}
	slices.SortStableFunc(r.Findings, func(a, b report.Finding) int { return a.Compare(b.Diagnostic) })
	return r, nil
}

func details(change *compat.Change) []report.Detail {
	all := []report.Detail{{Name: "direction", Value: change.Direction()}}
	add := func(name, value string) { all = append(all, report.Detail{Name: name, Value: value}) }
	addDocument := func(name string, b *compat.Break) {
		if b != nil {
			add(name, cmp.Or(string(b.Document), "none could be built; treat the change as breaking"))
		}
	}
	if change.Consumers == change.Producers {
		addDocument("document", change.Consumers)
	} else {
		addDocument("consumers-refuse", change.Consumers)
		addDocument("producers-wrote", change.Producers)
	}
	if len(change.URNs) > 1 {
		add("messages", quotedList(change.URNs))
	}
	if w := change.Waived; w != nil {
		add(report.Waived, waiverText(w))
	}
	return all
}

func waiverText(w *compat.Waiver) string {
	text := cmp.Or(w.Reason, "no reason given")
	if w.Until != "" {
		text += " (until " + w.Until + ")"
	}
	return text
}

// maxListed is the number of URNs of a change that are listed. A type may be shared by all.
const maxListed = 50

func quotedList(texts []string) string {
	list := text.List(text.QuoteAll(texts[:min(len(texts), maxListed)]))
	if more := len(texts) - maxListed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// goNames are the names in the generated code; nil when no code can be generated.
func goNames(c *schema.Catalog) compat.GoNames {
	planned, findings := gonames.Of(c)
	if findings.HasErrors() {
		return nil
	}
	names := compat.GoNames{}
	for u, n := range planned.Messages {
		names[u] = n.Type
	}
	for q, n := range planned.Queues {
		names[q] = n.Function
	}
	for t, n := range planned.Types {
		names[t] = n
	}
	for p, n := range planned.Fields {
		names[p] = n
	}
	return names
}

func breakingRules() []report.Rule {
	var rules []report.Rule
	for _, r := range compat.Rules() {
		severity := schema.Error
		switch {
		case strings.HasPrefix(r.Effect, compat.BreaksSource):
			severity = schema.Warning
		case strings.HasPrefix(r.Effect, compat.IsSafe):
			severity = schema.Note
		}
		rules = append(rules, report.Rule{ID: r.ID, Purpose: r.Purpose, Severity: severity})
	}
	return rules
}
