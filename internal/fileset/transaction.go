package fileset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A transaction changes the files of a folder, all or none. It writes new content to temporary files in the folder,
// links the old files into a folder next to them, renames the new ones into place, and undoes all of it when a step
// fails.
type transaction struct {
	dir    string
	rename func(from, to string) error // puts a new file in its place
	sync   bool                        // new content is on the disk before it replaces old content
	undo   []func() error
	aside  string // folder of the old files, once there is one
}

// newPerm are the permissions of a file that did not exist.
const newPerm fs.FileMode = 0o644

func (t *transaction) run(changes []Change) (err error) {
	defer func() {
		if err == nil {
			return
		}
		if failed := t.rollBack(); failed != nil {
			err = fmt.Errorf("%w; %w", err, failed)
		}
	}()
	if err := t.makeDir(); err != nil {
		return err
	}
	prepared := make([]string, len(changes)) // temporary files
	for i, c := range changes {
		if c.Status == Orphan {
			continue
		}
		if prepared[i], err = t.prepare(c); err != nil {
			return err
		}
	}
	for i, c := range changes {
		if err := t.setAside(c); err != nil {
			return err
		}
		if err := t.place(c, prepared[i]); err != nil {
			return err
		}
	}
	t.undo = nil // everything is in place: from here on there is no way back
	if t.aside != "" {
		return os.RemoveAll(t.aside)
	}
	return nil
}

func (t *transaction) rollBack() error {
	var failed error
	for i := len(t.undo) - 1; i >= 0; i-- {
		failed = errors.Join(failed, t.undo[i]())
	}
	if failed != nil {
		failed = fmt.Errorf("put back what was there: %w", failed)
	}
	return failed
}

// makeDir creates the folder and its parents. Rolling back removes the new ones.
func (t *transaction) makeDir() error {
	var made []string
	for parent := filepath.Clean(t.dir); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("a file is %w: %s", ErrInTheWay, parent)
		}
		if err == nil || parent == filepath.Dir(parent) {
			break
		}
		made = append(made, parent)
	}
	for i := len(made) - 1; i >= 0; i-- {
		if err := os.Mkdir(made[i], 0o777); err != nil {
			if info, statErr := os.Stat(made[i]); statErr == nil && info.IsDir() {
				continue // another process was faster
			}
			return err
		}
		t.undo = append(t.undo, func() error { return os.Remove(made[i]) })
	}
	return nil
}

// prepare writes content to a temporary file in the folder, under a name that the go command ignores.
func (t *transaction) prepare(c Change) (string, error) {
	f, err := os.CreateTemp(t.dir, ".bqgen-*.tmp")
	if err != nil {
		return "", err
	}
	t.undo = append(t.undo, func() error { return ignoreMissing(os.Remove(f.Name())) })
	perm := newPerm
	if c.Status == Stale {
		perm = c.perm
	}
	_, err = f.Write(c.New)
	if err == nil {
		err = f.Chmod(perm)
	}
	if err == nil && t.sync {
		err = f.Sync()
	}
	return f.Name(), errors.Join(err, f.Close())
}

// setAside keeps the old file where it can be restored from. A stale file is linked, so that at no time its name leads
// nowhere; where the file system has no links it is moved.
func (t *transaction) setAside(c Change) error {
	if c.Status == Missing {
		return nil
	}
	if err := t.makeAside(); err != nil {
		return err
	}
	path, kept := filepath.Join(t.dir, c.Name), filepath.Join(t.aside, c.Name)
	if c.Status == Stale && os.Link(path, kept) == nil {
		t.undo = append(t.undo, func() error { return t.restore(kept, path) })
		return nil
	}
	if err := t.rename(path, kept); err != nil {
		return err
	}
	t.undo = append(t.undo, func() error { return os.Rename(kept, path) })
	return nil
}

// restore puts a linked file back. Renaming does nothing when both names are the same file, so the link is removed
// then.
func (t *transaction) restore(kept, path string) error {
	if err := os.Rename(kept, path); err != nil {
		return err
	}
	return ignoreMissing(os.Remove(kept))
}

func (t *transaction) makeAside() error {
	if t.aside != "" {
		return nil
	}
	aside, err := os.MkdirTemp(t.dir, ".bqgen-*.old")
	if err != nil {
		return err
	}
	t.aside = aside
	t.undo = append(t.undo, func() error { return os.Remove(aside) })
	return nil
}

// place gives the prepared content its name.
func (t *transaction) place(c Change, prepared string) error {
	if c.Status == Orphan {
		return nil
	}
	path := filepath.Join(t.dir, c.Name)
	if err := t.rename(prepared, path); err != nil {
		return err
	}
	if c.Status == Missing {
		t.undo = append(t.undo, func() error { return os.Remove(path) })
	}
	return nil
}

// renameNew renames, but never onto a file that was created in the meantime.
func renameNew(from, to string) error {
	switch err := os.Link(from, to); {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, os.ErrExist):
		return err
	}
	return os.Rename(from, to) // no links on this file system
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
