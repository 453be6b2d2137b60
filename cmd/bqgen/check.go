package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say whether the generated code is what generate would write",
		Long: `check says whether the folder of the generated code is what generate would write. It changes nothing.

It prints a unified diff for each file that differs, and names files that are missing or should not be there any
more. Line ends are not a difference: a checkout may have made them CRLF.`,
		Example: "  bqgen check --catalog urns.yaml --out ./orderevents",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return check(cmd, &t) },
	}
	t.flags(cmd)
	return cmd
}

func check(cmd *cobra.Command, t *target) error {
	dir, files, findings, err := t.render(cmd)
	if err != nil {
		return err
	}
	if findings.HasErrors() {
		return t.print(cmd, findings)
	}
	changes, err := fileset.Compare(dir, files)
	if err != nil {
		return err
	}
	if t.format != "text" {
		return t.print(cmd, findings.Merge(t.drift(dir, changes)))
	}
	if err := t.print(cmd, findings); err != nil {
		return err
	}
	report := driftReport(dir, changes)
	if len(report) == 0 {
		return nil
	}
	report = fmt.Appendf(report, "%s is not what bqgen generates from %s: run %s\n", filepath.ToSlash(dir), filepath.ToSlash(t.catalog), t.generateCommand())
	if _, err := cmd.OutOrStdout().Write(report); err != nil {
		return fmt.Errorf("print differences: %w", err)
	}
	return errFindings
}

// drift is what the report says, for tools: a finding for each file.
func (t *target) drift(dir string, changes []fileset.Change) schema.Diagnostics {
	var findings []schema.Diagnostic
	for _, c := range changes {
		d := schema.Diagnostic{
			Pos:  schema.Pos{File: filepath.Join(dir, c.Name), Line: 1, Column: 1},
			Rule: "generated-code", Hint: "run " + t.generateCommand(),
		}
		switch {
		case c.Status == fileset.Missing:
			d.Pos.File = t.catalog // a place that is there
			d.Message = "the generated file " + text.Quote(c.Name) + " is missing"
		case c.Status == fileset.Orphan:
			d.Message = "the generated file does not belong here any more"
		case c.LineEnds:
			continue
		default:
			d.Message = "the file is not what bqgen generates, from here on"
			old := bytes.ReplaceAll(c.Old, []byte("\r\n"), []byte("\n"))
			d.Pos.Line += bytes.Count(old[:commonPrefix(old, c.New)], []byte("\n"))
		}
		findings = append(findings, d)
	}
	return schema.NewDiagnostics(findings...)
}

func driftReport(dir string, changes []fileset.Change) []byte {
	var report bytes.Buffer
	for _, c := range changes {
		path := filepath.ToSlash(filepath.Join(dir, c.Name))
		switch {
		case c.Status == fileset.Missing:
			fmt.Fprintf(&report, "missing: %s\n", path)
		case c.Status == fileset.Orphan:
			fmt.Fprintf(&report, "orphan: %s\n", path)
		case !c.LineEnds:
			report.Write(c.Diff(dir))
		}
	}
	return report.Bytes()
}

// generateCommand is the command that makes the folder right.
func (t *target) generateCommand() string {
	args := []string{"bqgen generate --catalog", t.catalog}
	if t.out != "" {
		args = append(args, "--out", t.out)
	}
	if t.pkg != "" {
		args = append(args, "--package", t.pkg)
	}
	return strings.Join(args, " ")
}
