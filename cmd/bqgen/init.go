package main

import (
	"fmt"
	"path/filepath"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/templates/scaffold"
	"github.com/spf13/cobra"
)

func newInit() *cobra.Command {
	var dir string
	var w writing
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a catalog to start from",
		Long: `Init writes a catalog with comments, urns.yaml; the JSON Schema with which editors complete and
check it, catalog.schema.json; and a Go file with the go:generate line, gen.go. It overwrites
nothing: if one of the files exists, it writes none.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := w.check(dir); err != nil {
				return err
			}
			return writeScaffold(cmd, dir)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "the `DIR` to write to")
	w.flag(cmd)
	return cmd
}

func writeScaffold(cmd *cobra.Command, dir string) error {
	files, err := scaffold.Files(dir)
	if err != nil {
		return err
	}
	if err := fileset.Create(dir, files); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	_, err = fmt.Fprintf(cmd.OutOrStdout(), `wrote %s, %s and %s
next, in a Go module:
  go get -tool github.com/babelqueue/bqgen/cmd/bqgen
  go generate ./...
  go mod tidy
`, in(scaffold.CatalogFile), in(scaffold.SchemaFile), in(scaffold.GoFile))
	return err
}
