package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/docs"
)

func newDocs() *cobra.Command {
	var catalog, out, format string
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Write a catalog's documentation, as a site or as Markdown",
		Long: `docs writes a page for every message, type and queue of a catalog, a first page and a picture of who publishes what to
whom: all files or, when something fails, none.

The HTML site works from the file system, without a server, and loads nothing from anywhere. Markdown is for a repository.
Pages that bqgen generated before and that no longer belong are removed; files that bqgen did not generate are never touched.`,
		Example: "  bqgen docs --catalog urns.yaml --out ./site\n  bqgen docs --catalog urns.yaml --out ./docs/messages --format markdown",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kind := slices.Index(docs.Formats, format)
			switch {
			case kind < 0:
				return &usageError{cmd.CommandPath(), fmt.Errorf("--format: %q is none of %s", format, strings.Join(docs.Formats, ", "))}
			case out == "":
				return &usageError{cmd.CommandPath(), fmt.Errorf("--out: say which folder the pages are to be written to")}
			}
			return writeDocs(cmd, catalog, out, docs.Format(kind))
		},
	}
	cmd.Flags().StringVar(&catalog, "catalog", "urns.yaml", "the catalog `FILE`")
	cmd.Flags().StringVar(&out, "out", "", "the `DIR` of the pages")
	cmd.Flags().StringVar(&format, "format", docs.Formats[docs.HTML], "the `FORMAT`: "+strings.Join(docs.Formats, " or "))
	return cmd
}

func writeDocs(cmd *cobra.Command, catalog, out string, format docs.Format) error {
	return withCatalog(cmd, catalog, func(c *schema.Catalog) (schema.Diagnostics, error) {
		files, findings, err := docs.Generate(c, format)
		if err != nil || findings.HasErrors() {
			return findings, err
		}
		_, err = format.Kind().Write(out, files)
		return findings, err
	})
}

// withCatalog loads a catalog and, when nothing is wrong with it, does something with it. It prints what was found by then,
// and gives errFindings when one of the findings is an error.
func withCatalog(cmd *cobra.Command, path string, do func(*schema.Catalog) (schema.Diagnostics, error)) error {
	c, findings, err := load.Load(path)
	if err != nil {
		return err
	}
	if c != nil && !findings.HasErrors() {
		more, err := do(c)
		if err != nil {
			return err
		}
		findings = findings.Merge(more)
	}
	return printFindings(cmd.OutOrStdout(), findings)
}
