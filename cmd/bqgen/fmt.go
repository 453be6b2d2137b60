package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/catfmt"
	"github.com/spf13/cobra"
)

func newFmt() *cobra.Command {
	var catalog string
	var check bool
	cmd := &cobra.Command{
		Use:   "fmt",
		Short: "Give a catalog its canonical order and layout",
		Long: `fmt puts the keys of a catalog in their canonical order and indents alike. Comments stay with what they are about, and
the order of queues, types, messages and properties stays as it is: it is the catalog's own.

The file is replaced as a whole or not at all. With --check nothing is written: a catalog that fmt would change
makes the exit code 1.`,
		Example: "  bqgen fmt --catalog urns.yaml\n  bqgen fmt --catalog urns.yaml --check",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return formatCatalog(cmd, catalog, check) },
	}
	cmd.Flags().StringVar(&catalog, "catalog", "urns.yaml", "the catalog `FILE`")
	cmd.Flags().BoolVar(&check, "check", false, "only say whether the catalog is formatted")
	return cmd
}

func formatCatalog(cmd *cobra.Command, catalog string, check bool) error {
	src, err := os.ReadFile(catalog)
	if err != nil {
		return fmt.Errorf("read catalog: %w", err)
	}
	out, findings, err := catfmt.Format(catalog, src)
	switch {
	case errors.Is(err, catfmt.ErrLayout):
		return fmt.Errorf("format %s: %w; it stays as it is", catalog, err)
	case err != nil:
		return err
	case out == nil:
		return printFindings(cmd.OutOrStdout(), findings)
	case bytes.Equal(out, src):
		return nil
	case !check:
		return fileset.Replace(catalog, out)
	}
	// Line ends are not a difference: a checkout may have made them CRLF.
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	if bytes.Equal(out, src) {
		return nil
	}
	line := 1 + bytes.Count(src[:commonPrefix(src, out)], []byte("\n"))
	return printFindings(cmd.OutOrStdout(), schema.NewDiagnostics(schema.Diagnostic{
		Pos: schema.Pos{File: catalog, Line: line, Column: 1}, Rule: "format", Message: "the catalog is not formatted, from here on",
		Hint: "run bqgen fmt --catalog " + catalog,
	}))
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
