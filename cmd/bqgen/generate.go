package main

import (
	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/spf13/cobra"
)

func newGenerate() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write the Go code for a catalog",
		Long: `generate writes the Go code for a catalog: all files or, when something fails, none.

Files that are as they should be are left alone. Files that bqgen generated before and that no longer belong are
removed; files that bqgen did not generate are never touched.`,
		Example: "  bqgen generate --catalog urns.yaml --out ./orderevents",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return generate(cmd, &t) },
	}
	t.flags(cmd)
	return cmd
}

// generate says nothing when all is well, as a go:generate line should.
func generate(cmd *cobra.Command, t *target) error {
	dir, files, findings, err := t.render(cmd)
	if err != nil {
		return err
	}
	if err := t.print(cmd, findings); err != nil {
		return err
	}
	_, err = fileset.Write(dir, files)
	return err
}
