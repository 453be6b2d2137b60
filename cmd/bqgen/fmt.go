package main

import (
	"github.com/babelqueue/bqgen/internal/review"
	"github.com/spf13/cobra"
)

func newFmt() *cobra.Command {
	var catalog string
	var checkOnly bool
	var w writing
	r := reporting{quiet: true}
	cmd := &cobra.Command{
		Use:   "fmt",
		Short: "Format a catalog",
		Long: `Fmt puts the keys of a catalog in their canonical order and indents them uniformly. Comments stay
with what they are about. Queues, types, messages and properties keep their order.

The file is replaced as a whole or not at all. With --check nothing is written, and a catalog that
is not formatted makes the exit code 1.`,
		Example: "  bqgen fmt --catalog urns.yaml\n  bqgen fmt --catalog urns.yaml --check",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := r.check(cmd); err != nil {
				return err
			}
			do := review.CheckFormat
			if !checkOnly {
				if err := w.check(catalog); err != nil {
					return err
				}
				do = review.Format
			}
			findings, err := do(catalog)
			if err != nil {
				return err
			}
			return r.print(cmd, findings)
		},
	}
	catalogFlag(cmd, &catalog)
	w.flag(cmd)
	cmd.Flags().BoolVar(&checkOnly, "check", false, "only check whether the catalog is formatted")
	r.formatFlag(cmd)
	return cmd
}
