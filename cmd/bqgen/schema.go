package main

import (
	"fmt"

	"github.com/babelqueue/bqgen/schema"
	"github.com/spf13/cobra"
)

func newSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of catalogs, for editors",
		Long: `Schema prints the JSON Schema of catalogs, with which an editor completes and checks urns.yaml:

  bqgen schema > catalog.schema.json

Then make this the first line of urns.yaml, for the YAML language server that most editors use. Init
does both.

  # yaml-language-server: $schema=catalog.schema.json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := fmt.Fprint(cmd.OutOrStdout(), schema.CatalogSchema); err != nil {
				return fmt.Errorf("print the schema: %w", err)
			}
			return nil
		},
	}
}
