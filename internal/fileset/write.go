package fileset

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write makes dir contain files of Go code; see [Kind.Write].
func Write(dir string, files map[string][]byte) ([]Change, error) { return Go.Write(dir, files) }

// Write makes dir contain files: it creates missing ones, replaces stale ones and removes orphans. It leaves files
// that are up to date alone, modification time included, and creates dir when it does not exist. It returns the
// changes that it made.
//
// It does all or nothing: the content is written to temporary files first, and when a step fails, the folder is
// restored. Replaced files keep their permissions; see [transaction].
func (k Kind) Write(dir string, files map[string][]byte) ([]Change, error) {
	changes, err := k.Compare(dir, files)
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	if underGoGenerate() {
		changes = keepListed(changes)
	}
	if err := (&transaction{dir: dir, rename: os.Rename}).run(changes); err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, err)
	}
	return changes, nil
}

// WriteOne writes a single file by the rules of [Kind.Write]. It does not look at other files in the folder.
func (k Kind) WriteOne(path string, content []byte) error {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if err := k.validate(map[string][]byte{name: content}); err != nil {
		return err
	}
	change, err := k.compareFile(newReader(), dir, name, content)
	if err == nil && change.Status != 0 {
		err = (&transaction{dir: dir, rename: os.Rename}).run([]Change{change})
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Create creates files in dir, all or none. A file that exists is an error that matches fs.ErrExist, and then nothing
// is written.
func Create(dir string, files map[string][]byte) error {
	var changes []Change
	for _, name := range sortedNames(files) {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("create %s: %w", path, os.ErrExist)
		}
		changes = append(changes, Change{Name: name, Status: Missing, New: files[name]})
	}
	if err := (&transaction{dir: dir, rename: renameNew}).run(changes); err != nil {
		return fmt.Errorf("write %s: %w", dir, err)
	}
	return nil
}

// Replace replaces the content of a file that exists, whoever wrote it, as a whole or not at all. It keeps the file's
// permissions. A symbolic link stays a link: the file that it leads to is replaced. A file without write permission is
// an error that matches fs.ErrPermission.
func Replace(path string, content []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return fmt.Errorf("write %s: %w", path, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("write %s: it is not an ordinary file", path)
	case info.Mode().Perm()&0o200 == 0:
		return fmt.Errorf("write %s: %w", path, os.ErrPermission)
	}
	change := Change{Name: filepath.Base(target), Status: Stale, New: content, perm: info.Mode().Perm()}
	t := &transaction{dir: filepath.Dir(target), rename: os.Rename, sync: true}
	if err := t.run([]Change{change}); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
