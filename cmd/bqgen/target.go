package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/golang"
	"github.com/spf13/cobra"
)

// A target is a catalog and the Go package to be made of it, as flags say.
type target struct {
	catalog string
	out     string
	pkg     string
}

func (t *target) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.catalog, "catalog", "urns.yaml", "the catalog `FILE`")
	cmd.Flags().StringVar(&t.out, "out", "", "the `DIR` of the generated code (default: the package's name, beside the catalog)")
	cmd.Flags().StringVar(&t.pkg, "package", "", "the Go package `NAME` (default: the catalog's package)")
}

// render makes the files in memory and says where they belong. It prints findings, and gives errFindings when one
// of them is an error; warnings stop nothing.
func (t *target) render(cmd *cobra.Command) (dir string, files map[string][]byte, err error) {
	if cmd.Flags().Changed("package") {
		if err := schema.CheckPackageName(t.pkg); err != nil {
			return "", nil, &usageError{cmd.CommandPath(), fmt.Errorf("--package: %w", err)}
		}
	}
	if cmd.Flags().Changed("out") && t.out == "" {
		return "", nil, &usageError{cmd.CommandPath(), fmt.Errorf("--out: the folder is blank")}
	}
	c, findings, err := schema.Load(t.catalog)
	if err != nil {
		return "", nil, err
	}
	if c != nil {
		var more schema.Diagnostics
		files, more, err = golang.Generate(c, golang.Options{Package: t.pkg, Source: filepath.Base(t.catalog)})
		if err != nil {
			return "", nil, err
		}
		findings = findings.Merge(more)
	}
	if err := printFindings(cmd.OutOrStdout(), findings); err != nil {
		return "", nil, err
	}
	return t.dir(c), files, nil
}

func (t *target) dir(c *schema.Catalog) string {
	switch {
	case t.out != "":
		return t.out
	case t.pkg != "":
		return filepath.Join(filepath.Dir(t.catalog), t.pkg)
	}
	return filepath.Join(filepath.Dir(t.catalog), c.Package)
}

// printFindings gives errFindings when one of them is an error.
func printFindings(w io.Writer, findings schema.Diagnostics) error {
	if err := schema.WriteText(w, findings); err != nil {
		return fmt.Errorf("print findings: %w", err)
	}
	if findings.HasErrors() {
		return errFindings
	}
	return nil
}
