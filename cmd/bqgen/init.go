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
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a catalog to start from",
		Long: `init writes a catalog with comments, urns.yaml, and a Go file with the go:generate line, gen.go. It overwrites
nothing: when one of the two is there, it writes neither.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := scaffold.Files(dir)
			if err != nil {
				return err
			}
			if err := fileset.Create(dir, files); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), `wrote %s and %s
next, in a Go module:
  go get -tool github.com/babelqueue/bqgen/cmd/bqgen
  go generate ./...
`, filepath.Join(dir, scaffold.CatalogFile), filepath.Join(dir, scaffold.GoFile))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "the `DIR` to write to")
	return cmd
}
