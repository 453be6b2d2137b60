package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/docs"
)

func newDocs() *cobra.Command {
	var catalog, out, format string
	var w writing
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Generate documentation from a catalog, as a site or as Markdown",
		Long: `Docs writes a page for every message, type and queue of a catalog, an overview, and a picture of who
publishes what to whom: all files or, if a step fails, none.

The HTML site works from the file system, without a server, and loads nothing from the network.
Markdown is for a repository. Pages that bqgen generated before and that are no longer needed are
removed. Files that bqgen did not generate are never touched.`,
		Example: `  bqgen docs --catalog urns.yaml --out ./site
  bqgen docs --catalog urns.yaml --out ./docs/messages --format markdown`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kind := slices.Index(docs.Formats, format)
			switch {
			case kind < 0:
				err := fmt.Errorf("--format: there is no format %q: use %s", format, strings.Join(docs.Formats, ", "))
				return &usageError{cmd.CommandPath(), err}
			case out == "":
				return &usageError{cmd.CommandPath(), errors.New("--out: name the folder of the pages")}
			}
			if err := w.check(out); err != nil {
				return err
			}
			return writeDocs(cmd, catalog, out, docs.Format(kind))
		},
	}
	catalogFlag(cmd, &catalog)
	w.flag(cmd)
	cmd.Flags().StringVar(&out, "out", "", "the `DIR` of the pages")
	cmd.Flags().StringVar(&format, "format", docs.Formats[docs.HTML], "the `FORMAT`: "+strings.Join(docs.Formats, " or "))
	return cmd
}

func writeDocs(cmd *cobra.Command, catalog, out string, format docs.Format) error {
	return withCatalog(cmd, catalog, func(c *schema.Catalog) (schema.Diagnostics, error) {
		files, err := docs.Generate(c, format)
		if err != nil {
			return nil, err
		}
		_, err = format.Kind().Write(out, files)
		return nil, err
	})
}
