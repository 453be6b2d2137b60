package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	var t targeting
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check that the generated code is up to date",
		Long: `Check compares a folder of generated code with what generate would write. It changes nothing.

It prints a unified diff for each file that differs, and names files that are missing or no longer
needed. Line ends are ignored: a checkout may have converted them to CRLF.`,
		Example: "  bqgen check --catalog urns.yaml --out ./orderevents",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return check(cmd, &t) },
	}
	t.flags(cmd)
	return cmd
}

func check(cmd *cobra.Command, t *targeting) error {
	code, findings, err := t.render(cmd)
	if err != nil {
		return err
	}
	if code == nil {
		return t.printCatalog(cmd, t.Catalog, findings)
	}
	drift, err := t.Drift(code)
	if err != nil {
		return err
	}
	if t.format != "text" {
		return t.printCatalog(cmd, t.Catalog, findings.Merge(drift.Findings()))
	}
	if err := t.printCatalog(cmd, t.Catalog, findings); err != nil {
		return err
	}
	text := drift.Text()
	if len(text) == 0 {
		return nil
	}
	if _, err := cmd.OutOrStdout().Write(text); err != nil {
		return fmt.Errorf("print differences: %w", err)
	}
	return errFindings
}
