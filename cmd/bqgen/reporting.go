package main

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/spf13/cobra"
)

// A reporting is how a command shows what it finds, as flags say.
type reporting struct {
	format string
	strict bool
}

func (r *reporting) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.format, "format", "text", "`FORMAT` of the findings: "+strings.Join(report.Formats, ", "))
	cmd.Flags().BoolVar(&r.strict, "strict", false, "exit with 1 for warnings too")
}

// print shows findings, and a summary line on standard error; it gives errFindings when they fail the run.
func (r *reporting) print(cmd *cobra.Command, findings *report.Report) error {
	print, err := report.ByName(r.format, report.HasColors(cmd.OutOrStdout()))
	if err != nil {
		return &usageError{cmd.CommandPath(), fmt.Errorf("--format: %w", err)}
	}
	findings.Version = moduleVersion()
	if r.format == "github" || r.format == "sarif" {
		findings.InWorkspace()
	}
	if err := print(cmd.OutOrStdout(), findings); err != nil {
		return fmt.Errorf("print findings: %w", err)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), findings.Summary())
	if findings.Fails(r.strict) {
		return errFindings
	}
	return nil
}

// check refuses an unknown format before there is anything to show in it.
func (r *reporting) check(cmd *cobra.Command) error {
	if _, err := report.ByName(r.format, false); err != nil {
		return &usageError{cmd.CommandPath(), fmt.Errorf("--format: %w", err)}
	}
	return nil
}
