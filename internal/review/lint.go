package review

import (
	"time"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/compat"
	"github.com/babelqueue/bqgen/schema/lint"
	"github.com/babelqueue/bqgen/schema/load"
)

// Lint checks a catalog against the style rules. Today is the time by which ignore comments expire.
func Lint(catalog string, today time.Time) (*report.Report, error) {
	c, findings, err := load.Load(catalog)
	if err != nil {
		return nil, err
	}
	if c != nil {
		findings = findings.Merge(lint.Check(c, lint.Options{Today: today, Elsewhere: breakingIDs()}))
	}
	r := &report.Report{Command: "lint", Subject: catalog, Findings: report.FindingsOf(findings)}
	for _, rule := range lint.Rules() {
		r.Rules = append(r.Rules, report.Rule{ID: rule.ID, Purpose: rule.Purpose, Severity: severityOf(rule.Default)})
	}
	return r, nil
}

// breakingIDs are the rules about breaking changes, which comments may ignore.
func breakingIDs() []string {
	var ids []string
	for _, r := range compat.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

// severityOf is the severity of the findings of a rule; a rule that is off would warn.
func severityOf(level schema.LintLevel) schema.Severity {
	if level == schema.LintError {
		return schema.Error
	}
	return schema.Warning
}
