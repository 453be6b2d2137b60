package main

import (
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/internal/target"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/spf13/cobra"
)

// A targeting is the flags that choose a catalog and the Go package to generate from it.
type targeting struct {
	reporting
	target.Target
}

func (t *targeting) flags(cmd *cobra.Command) {
	catalogFlag(cmd, &t.Catalog)
	cmd.Flags().StringVar(&t.Out, "out", "",
		"the `DIR` of the generated code (default: named like the package, next to the catalog)")
	cmd.Flags().StringVar(&t.Package, "package", "", "the `NAME` of the Go package (default: the catalog's package)")
	t.formatFlag(cmd)
	t.quiet = true
}

func (t *targeting) check(cmd *cobra.Command) error {
	if err := t.reporting.check(cmd); err != nil {
		return err
	}
	if cmd.Flags().Changed("package") {
		if err := schema.CheckPackageName(t.Package); err != nil {
			return &usageError{cmd.CommandPath(), fmt.Errorf("--package: %w", err)}
		}
	}
	if cmd.Flags().Changed("out") && t.Out == "" {
		return &usageError{cmd.CommandPath(), errors.New("--out: the folder is empty")}
	}
	return nil
}

// render generates the code in memory. There is none when one of the findings is an error.
func (t *targeting) render(cmd *cobra.Command) (*target.Code, schema.Diagnostics, error) {
	if err := t.check(cmd); err != nil {
		return nil, nil, err
	}
	c, findings, err := load.Load(t.Catalog)
	if err != nil || c == nil {
		return nil, findings, err
	}
	code, more, err := t.Render(c)
	return code, findings.Merge(more), err
}
