package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/lint"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/spf13/cobra"
)

func newLint() *cobra.Command {
	var catalog string
	var rules bool
	var r reporting
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Say what in a catalog is worth a second thought",
		Long: `lint says what is allowed in a catalog and still worth a second thought. It changes nothing.

The catalog's lint section gives rules other levels: lint: {RULE: off|warning|error}. A comment silences a rule for
one line and says why: # bqgen:ignore RULE reason. Errors make the exit code 1; with --strict warnings do too.`,
		Example: "  bqgen lint --catalog urns.yaml\n  bqgen lint --rules",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := r.check(cmd); err != nil {
				return err
			}
			if rules {
				return listLintRules(cmd)
			}
			return runLint(cmd, catalog, &r)
		},
	}
	cmd.Flags().StringVar(&catalog, "catalog", "urns.yaml", "the catalog `FILE`")
	cmd.Flags().BoolVar(&rules, "rules", false, "list the rules with their default levels")
	r.flags(cmd)
	return cmd
}

func runLint(cmd *cobra.Command, catalog string, r *reporting) error {
	c, findings, err := load.Load(catalog)
	if err != nil {
		return err
	}
	if c != nil {
		findings = findings.Merge(lint.Check(c))
	}
	out := &report.Report{Command: "lint", Subject: catalog, Findings: report.FindingsOf(findings)}
	for _, rule := range lint.Rules() {
		out.Rules = append(out.Rules, report.Rule{ID: rule.ID, Purpose: rule.Purpose, Severity: report.LevelSeverity(rule.Default)})
	}
	return r.print(cmd, out)
}

func listLintRules(cmd *cobra.Command) error {
	names := map[schema.LintLevel]string{schema.LintOff: "off", schema.LintWarning: "warning", schema.LintError: "error"}
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, rule := range lint.Rules() {
		fmt.Fprintf(out, "%s\t%s\t%s\n", rule.ID, names[rule.Default], rule.Purpose)
	}
	return out.Flush()
}
