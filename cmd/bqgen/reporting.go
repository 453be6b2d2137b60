package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/schema"
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
	print, err := report.ByName(r.format, hasColors(cmd.OutOrStdout()))
	if err != nil {
		return &usageError{cmd.CommandPath(), fmt.Errorf("--format: %w", err)}
	}
	findings.Version = moduleVersion()
	if r.format == "github" || r.format == "sarif" {
		inWorkspace(findings.Findings)
	}
	if err := print(cmd.OutOrStdout(), findings); err != nil {
		return fmt.Errorf("print findings: %w", err)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), findings.Summary())
	if findings.Has(schema.Error) || r.strict && findings.Has(schema.Warning) {
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

// hasColors tells whether people look at it in a terminal, and have not said that they want none (no-color.org).
func hasColors(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// inWorkspace makes paths relative to the checkout: tools that show a pull request count from there, wherever
// the command ran.
func inWorkspace(findings []report.Finding) {
	root := os.Getenv("GITHUB_WORKSPACE")
	if root == "" {
		return
	}
	for i := range findings {
		path, err := filepath.Abs(findings[i].Pos.File)
		if err != nil {
			continue
		}
		if path, err = filepath.Rel(root, path); err == nil && filepath.IsLocal(path) {
			findings[i].Pos.File = path
		}
	}
}
