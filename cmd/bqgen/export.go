package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/asyncapi"
	"github.com/babelqueue/bqgen/templates/jsonschema"
)

func newExport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Export a catalog as JSON Schema or AsyncAPI",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{cmd.CommandPath(), errors.New("name a format: jsonschema or asyncapi")}
			}
			return &usageError{cmd.CommandPath(), unknownCommand(cmd, args[0])}
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(newExportJSONSchema(), newExportAsyncAPI())
	return cmd
}

func newExportJSONSchema() *cobra.Command {
	var catalog, out string
	var w writing
	cmd := &cobra.Command{
		Use:   "jsonschema",
		Short: "Export JSON Schemas of the payload and of the message of each URN",
		Long: `Jsonschema writes two JSON Schemas (2020-12) for each URN, one of its payload and one of the payload
in its envelope: all files or, if a step fails, none. Each is complete in itself. Files that bqgen
exported before and that are no longer needed are removed.`,
		Example: "  bqgen export jsonschema --catalog urns.yaml --out ./schemas",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return &usageError{cmd.CommandPath(), errors.New("--out: name the folder of the schemas")}
			}
			if err := w.check(out); err != nil {
				return err
			}
			return withCatalog(cmd, catalog, func(c *schema.Catalog) (schema.Diagnostics, error) {
				files, err := jsonschema.Generate(c)
				if err != nil {
					return nil, err
				}
				_, err = jsonschema.Kind.Write(out, files)
				return nil, err
			})
		},
	}
	catalogFlag(cmd, &catalog)
	w.flag(cmd)
	cmd.Flags().StringVar(&out, "out", "", "the `DIR` of the schemas")
	return cmd
}

func newExportAsyncAPI() *cobra.Command {
	var catalog, out string
	var options asyncapi.Options
	var w writing
	cmd := &cobra.Command{
		Use:   "asyncapi",
		Short: "Export an AsyncAPI 3.0 document",
		Long: `Asyncapi writes an AsyncAPI 3.0 document: a channel with its Pulsar binding for each queue, a
message for each URN, and an operation for what each service publishes to or handles from a queue. A
file that bqgen did not write is never replaced.`,
		Example: "  bqgen export asyncapi --catalog urns.yaml --out asyncapi.yaml",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			extensions := []string{".json", ".yaml", ".yml"}
			if !slices.Contains(extensions, filepath.Ext(out)) {
				err := fmt.Errorf("--out: the name %q must end in one of %s", out, strings.Join(extensions, ", "))
				return &usageError{cmd.CommandPath(), err}
			}
			if err := w.check(out); err != nil {
				return err
			}
			return withCatalog(cmd, catalog, func(c *schema.Catalog) (schema.Diagnostics, error) {
				text, err := asyncapi.Generate(c, out, options)
				if err != nil {
					return nil, err
				}
				return nil, asyncapi.Kind.WriteOne(out, text)
			})
		},
	}
	catalogFlag(cmd, &catalog)
	w.flag(cmd)
	cmd.Flags().StringVar(&out, "out", "", "the `FILE` of the document: JSON, or YAML if its name ends in .yaml or .yml")
	cmd.Flags().StringVar(&options.Version, "api-version", "1.0.0", "the `VERSION` of the API in the document")
	return cmd
}
