package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

func catalogFlag(cmd *cobra.Command, catalog *string) {
	cmd.Flags().StringVar(catalog, "catalog", "urns.yaml", "the catalog `FILE`")
}

// withCatalog loads a catalog, calls do unless it has errors, and prints the findings of both as text. It returns
// errFindings when one of them is an error.
func withCatalog(cmd *cobra.Command, path string, do func(*schema.Catalog) (schema.Diagnostics, error)) error {
	c, findings, err := load.Load(path)
	if err != nil {
		return err
	}
	if c != nil {
		more, err := do(c)
		if errors.Is(err, fileset.ErrTooLarge) {
			more, err = c.TooLarge(fileset.ErrTooLarge), nil
		}
		if err != nil {
			return err
		}
		findings = findings.Merge(more)
	}
	r := reporting{format: "text", quiet: true}
	return r.printCatalog(cmd, path, findings)
}
