package main

import (
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/spf13/cobra"
)

// A writing is the flag of the commands that write.
type writing struct{ followLinks bool }

func (w *writing) flag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&w.followLinks, "follow-links", false,
		"write even where a symbolic link leads out of the repository or the working folder")
}

// check refuses to write where a link of the repository redirects to. A folder outside that the user names is fine.
func (w *writing) check(path string) error {
	if w.followLinks {
		return nil
	}
	err := fileset.CheckInside(path)
	if errors.Is(err, fileset.ErrOutside) {
		return fmt.Errorf("write %s: %w: name the place itself, or use --follow-links", path, err)
	}
	return err
}
