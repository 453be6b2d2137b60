package fileset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Write makes dir hold files of Go code; see [Kind.Write].
func Write(dir string, files map[string][]byte) ([]Change, error) { return Go.Write(dir, files) }

// Write makes dir hold files: missing ones are made, stale ones replaced, orphans removed. Files that are as they
// should be are left alone, their time of modification included. Dir is made when it is not there.
//
// It does all or nothing: content goes to temporary files first, and when a step fails, what was there
// before is put back. It gives the changes that it made.
func (k Kind) Write(dir string, files map[string][]byte) ([]Change, error) {
	changes, err := k.Compare(dir, files)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	if underGoGenerate() {
		changes = keepListed(changes)
	}
	if err := apply(dir, changes, os.Rename); err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, err)
	}
	return changes, nil
}

// WriteOne writes a single file, by the same rules: one that is as it should be is left alone, and one that bqgen did not
// generate is an error that matches ErrInTheWay. Other files in its folder are none of its business.
func (k Kind) WriteOne(path string, content []byte) error {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if err := k.validate(map[string][]byte{name: content}); err != nil {
		return err
	}
	change, err := k.compareFile(dir, name, content)
	if err == nil && change.Status != 0 {
		err = apply(dir, []Change{change}, os.Rename)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Create makes new files in dir, all or none. A file that is there already is an error that matches fs.ErrExist, and
// then nothing is written.
func Create(dir string, files map[string][]byte) error {
	var changes []Change
	for _, name := range sortedNames(files) {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("create %s: %w", path, os.ErrExist)
		}
		changes = append(changes, Change{Name: name, Status: Missing, New: files[name]})
	}
	if err := apply(dir, changes, renameNew); err != nil {
		return fmt.Errorf("write %s: %w", dir, err)
	}
	return nil
}

// renameNew renames, but never onto a file that came into being in the meantime.
func renameNew(from, to string) error {
	switch err := os.Link(from, to); {
	case err == nil:
		return os.Remove(from)
	case errors.Is(err, os.ErrExist):
		return err
	}
	return os.Rename(from, to) // no links on this file system
}

// A transaction remembers how to undo what it did.
type transaction struct {
	dir    string
	rename func(from, to string) error
	undo   []func() error
	aside  string // folder of the old files, once there is one
}

func apply(dir string, changes []Change, rename func(from, to string) error) (err error) {
	t := &transaction{dir: dir, rename: rename}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.rollBack())
		}
	}()
	if err := t.makeDir(dir); err != nil {
		return err
	}
	prepared := make([]string, len(changes)) // temporary files
	for i, c := range changes {
		if c.Status == Orphan {
			continue
		}
		if prepared[i], err = t.prepare(c.New); err != nil {
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
	t.undo = nil // everything is as it should be: from here on there is no way back
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

// makeDir makes dir and its parents, and removes the new ones again on failure.
func (t *transaction) makeDir(dir string) error {
	var made []string
	for parent := filepath.Clean(dir); ; parent = filepath.Dir(parent) {
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
				continue // somebody else was faster
			}
			return err
		}
		t.undo = append(t.undo, func() error { return os.Remove(made[i]) })
	}
	return nil
}

// prepare writes content to a temporary file in the folder, under a name that the go command ignores.
func (t *transaction) prepare(content []byte) (string, error) {
	f, err := os.CreateTemp(t.dir, ".bqgen-*.tmp")
	if err != nil {
		return "", err
	}
	t.undo = append(t.undo, func() error { return ignoreMissing(os.Remove(f.Name())) })
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(0o644)
	}
	return f.Name(), errors.Join(err, f.Close())
}

// setAside moves the old file to where it can be brought back from.
func (t *transaction) setAside(c Change) error {
	if c.Status == Missing {
		return nil
	}
	path := filepath.Join(t.dir, c.Name)
	if t.aside == "" {
		aside, err := os.MkdirTemp(t.dir, ".bqgen-*.old")
		if err != nil {
			return err
		}
		t.aside = aside
		t.undo = append(t.undo, func() error { return os.Remove(aside) })
	}
	kept := filepath.Join(t.aside, c.Name)
	if err := t.rename(path, kept); err != nil {
		return err
	}
	t.undo = append(t.undo, func() error { return os.Rename(kept, path) })
	return nil
}

// place puts the prepared content under its name.
func (t *transaction) place(c Change, prepared string) error {
	if c.Status == Orphan {
		return nil
	}
	path := filepath.Join(t.dir, c.Name)
	if err := t.rename(prepared, path); err != nil {
		return err
	}
	t.undo = append(t.undo, func() error { return os.Remove(path) })
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
