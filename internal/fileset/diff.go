package fileset

import (
	"path"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns how a Stale file has to change, as a unified diff that ignores line ends. It is empty for other changes.
func (c Change) Diff(dir string) []byte {
	if c.Status != Stale {
		return nil
	}
	name := path.Join(filepath.ToSlash(dir), c.Name)
	return diff.Diff(name, withLF(c.Old), name+" (generated)", c.New)
}
