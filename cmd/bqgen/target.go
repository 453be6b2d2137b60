package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
	"github.com/spf13/cobra"
)

// A target is a catalog and the Go package to be made of it, as flags say.
type target struct {
	catalog string
	out     string
	pkg     string
	format  string
}

func (t *target) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.catalog, "catalog", "urns.yaml", "the catalog `FILE`")
	cmd.Flags().StringVar(&t.out, "out", "", "the `DIR` of the generated code (default: the package's name, beside the catalog)")
	cmd.Flags().StringVar(&t.pkg, "package", "", "the Go package `NAME` (default: the catalog's package)")
	cmd.Flags().StringVar(&t.format, "format", "text", "`FORMAT` of the findings: "+strings.Join(report.Formats, ", "))
}

// render makes the files in memory and says where they belong. There are none when one of the findings is an error;
// warnings stop nothing.
func (t *target) render(cmd *cobra.Command) (dir string, files map[string][]byte, findings schema.Diagnostics, err error) {
	if _, err := report.ByName(t.format, false); err != nil {
		return "", nil, nil, &usageError{cmd.CommandPath(), fmt.Errorf("--format: %w", err)}
	}
	if cmd.Flags().Changed("package") {
		if err := schema.CheckPackageName(t.pkg); err != nil {
			return "", nil, nil, &usageError{cmd.CommandPath(), fmt.Errorf("--package: %w", err)}
		}
	}
	if cmd.Flags().Changed("out") && t.out == "" {
		return "", nil, nil, &usageError{cmd.CommandPath(), fmt.Errorf("--out: the folder is blank")}
	}
	c, findings, err := load.Load(t.catalog)
	if err != nil || c == nil {
		return "", nil, findings, err
	}
	files, more, err := golang.Generate(c, golang.Options{Package: t.pkg, Source: filepath.Base(t.catalog)})
	return t.dir(c), files, findings.Merge(more), err
}

// print shows the findings; it gives errFindings when one of them is an error. As text they are silent about what
// is well, as a go:generate line should be; as a document they are always there.
func (t *target) print(cmd *cobra.Command, findings schema.Diagnostics) error {
	if t.format == "text" {
		return printFindings(cmd.OutOrStdout(), findings)
	}
	r := reporting{format: t.format}
	return r.print(cmd, &report.Report{Command: cmd.Name(), Subject: t.catalog, Findings: report.FindingsOf(findings)})
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
	if err := report.Text(w, &report.Report{Findings: report.FindingsOf(findings)}, false); err != nil {
		return fmt.Errorf("print findings: %w", err)
	}
	if findings.HasErrors() {
		return errFindings
	}
	return nil
}
