package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/babelqueue/bqgen/internal/review"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/lint"
	"github.com/spf13/cobra"
)

func newLint() *cobra.Command {
	var catalog string
	var rules bool
	var r reporting
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Check a catalog against style rules",
		Long: `Lint reports what is valid in a catalog but discouraged. It changes nothing.

The lint section of the catalog sets the levels of rules: lint: {RULE: off|warning|error}. A comment
ignores a rule on one line, and gives the reason: # bqgen:ignore RULE reason. Errors make the exit
code 1; with --strict warnings do too.`,
		Example: "  bqgen lint --catalog urns.yaml\n  bqgen lint --rules",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := r.check(cmd); err != nil {
				return err
			}
			if rules {
				return listLintRules(cmd)
			}
			findings, err := review.Lint(catalog, time.Now())
			if err != nil {
				return err
			}
			return r.print(cmd, findings)
		},
	}
	catalogFlag(cmd, &catalog)
	cmd.Flags().BoolVar(&rules, "rules", false, "list the rules with their default levels")
	r.formatFlag(cmd)
	r.strictFlag(cmd)
	return cmd
}

func listLintRules(cmd *cobra.Command) error {
	levels := map[schema.LintLevel]string{schema.LintOff: "off", schema.LintWarning: "warning", schema.LintError: "error"}
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, rule := range lint.Rules() {
		fmt.Fprintf(out, "%s\t%s\t%s\n", rule.ID, levels[rule.Default], rule.Purpose)
	}
	return out.Flush()
}
