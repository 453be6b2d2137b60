package main

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/buildinfo"
	"github.com/babelqueue/bqgen/internal/console"
	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/schema"
	"github.com/spf13/cobra"
)

// A reporting is the flags that decide how a command prints its findings.
type reporting struct {
	format string
	strict bool
	quiet  bool // as text, print nothing at all when there are no findings, as a go:generate line should
}

func (r *reporting) formatFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.format, "format", "text", "`FORMAT` of the findings: "+strings.Join(report.Formats, ", "))
}

func (r *reporting) strictFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.strict, "strict", false, "exit with 1 for warnings too")
}

// check refuses an unknown format before there is anything to print in it.
func (r *reporting) check(cmd *cobra.Command) error {
	if _, err := report.ByName(r.format, false); err != nil {
		return &usageError{cmd.CommandPath(), fmt.Errorf("--format: %w", err)}
	}
	return nil
}

// print prints the findings, and a summary line on standard error. It returns errFindings when they fail the run.
func (r *reporting) print(cmd *cobra.Command, findings *report.Report) error {
	printer, err := report.ByName(r.format, console.HasColors(cmd.OutOrStdout()))
	if err != nil {
		return &usageError{cmd.CommandPath(), fmt.Errorf("--format: %w", err)}
	}
	findings.Version = buildinfo.Version()
	if r.format == "github" || r.format == "sarif" {
		findings.InWorkspace()
	}
	if err := printer(cmd.OutOrStdout(), findings); err != nil {
		return fmt.Errorf("print findings: %w", err)
	}
	if len(findings.Findings) > 0 || !r.quiet || r.format != "text" {
		fmt.Fprintln(cmd.ErrOrStderr(), findings.Summary())
	}
	if findings.Fails(r.strict) {
		return errFindings
	}
	return nil
}

// printCatalog prints findings about a catalog that have no details.
func (r *reporting) printCatalog(cmd *cobra.Command, catalog string, findings schema.Diagnostics) error {
	return r.print(cmd, &report.Report{
		Command: commandName(cmd), Subject: catalog, Findings: report.FindingsOf(findings),
	})
}

// commandName is the name of a command without the program's: "generate", "export jsonschema".
func commandName(cmd *cobra.Command) string {
	if cmd == cmd.Root() {
		return "generate" // what bqgen does without a command
	}
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}
