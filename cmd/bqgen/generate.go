package main

import "github.com/spf13/cobra"

func newGenerate() *cobra.Command {
	var t targeting
	var w writing
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Generate Go code from a catalog",
		Long: `Generate writes the Go code of a catalog: all files or, if a step fails, none.

Files that are up to date are left alone. Files that bqgen generated before and that are no longer
needed are removed. Files that bqgen did not generate are never touched.`,
		Example: "  bqgen generate --catalog urns.yaml --out ./orderevents",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return generate(cmd, &t, &w) },
	}
	t.flags(cmd)
	w.flag(cmd)
	return cmd
}

func generate(cmd *cobra.Command, t *targeting, w *writing) error {
	code, findings, err := t.render(cmd)
	if err != nil {
		return err
	}
	if err := t.printCatalog(cmd, t.Catalog, findings); err != nil {
		return err
	}
	if err := w.check(code.Dir); err != nil {
		return err
	}
	return code.Write()
}
