package fileset

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrInTheWay is matched by errors about something that bqgen did not generate in the place of a generated file: a
// hand-written file, a directory, a symbolic link.
var ErrInTheWay = errors.New("in the way")

// A Status is how a file in the folder differs from the wanted one.
type Status int

// The statuses.
const (
	Missing Status = iota + 1 // it does not exist
	Stale                     // its content differs
	Orphan                    // it is no longer wanted
)

// A Change is a file that has to change.
type Change struct {
	Name   string // base name
	Status Status
	Old    []byte // nil when Missing; the start of an Orphan
	New    []byte // nil when Orphan
	// LineEnds is set for a Stale file that differs in its line ends only, as after a checkout with CRLF.
	LineEnds bool

	perm fs.FileMode // of a Stale file
}

// Compare returns what has to change in dir for it to contain files of Go code; see [Kind.Compare].
func Compare(dir string, files map[string][]byte) ([]Change, error) { return Go.Compare(dir, files) }

// Compare returns what has to change in dir for it to contain files, which map base names to content. A folder that
// does not exist contains none. The changes are sorted by name. Compare changes nothing.
func (k Kind) Compare(dir string, files map[string][]byte) ([]Change, error) {
	if err := k.validate(files); err != nil {
		return nil, err
	}
	changes, err := k.compare(dir, files)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", dir, err)
	}
	return changes, nil
}

func (k Kind) compare(dir string, files map[string][]byte) ([]Change, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("a file is %w: %s", ErrInTheWay, dir)
	}
	var changes []Change
	r := newReader()
	for _, name := range sortedNames(files) {
		change, err := k.compareFile(r, dir, name, files[name])
		if err != nil {
			return nil, err
		}
		if change.Status != 0 {
			changes = append(changes, change)
		}
	}
	orphans, err := k.orphans(dir, files)
	if err != nil {
		return nil, err
	}
	changes = append(changes, orphans...)
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	return changes, nil
}

// orphans finds generated files that are no longer wanted.
func (k Kind) orphans(dir string, files map[string][]byte) ([]Change, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var changes []Change
	source := sourceOfAll(files)
	otherCases := casesOf(files)
	for _, entry := range entries {
		name := entry.Name()
		if files[name] != nil || k.header(name) == "" || !entry.Type().IsRegular() || otherCases.contain(dir, name) {
			continue
		}
		old, err := readStart(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if !k.isGenerated(name, old) {
			continue
		}
		if err := checkOrphan(dir, name, old, source); err != nil {
			return nil, err
		}
		changes = append(changes, Change{Name: name, Status: Orphan, Old: old})
	}
	return changes, nil
}

func (k Kind) compareFile(r *reader, dir, name string, want []byte) (Change, error) {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Change{Name: name, Status: Missing, New: want}, nil
	case err != nil:
		return Change{}, err
	case info.IsDir():
		return Change{}, fmt.Errorf("a directory is %w: %s", ErrInTheWay, path)
	case info.Mode()&fs.ModeSymlink != 0:
		return Change{}, fmt.Errorf("a symbolic link is %w: %s", ErrInTheWay, path)
	case !info.Mode().IsRegular():
		return Change{}, fmt.Errorf("something that is not a file is %w: %s", ErrInTheWay, path)
	}
	old, err := r.read(path)
	switch {
	case err != nil:
		return Change{}, err
	case !k.isGenerated(name, old):
		return Change{}, fmt.Errorf("a file that bqgen did not generate is %w: %s", ErrInTheWay, path)
	case bytes.Equal(old, want):
		return Change{}, nil
	}
	if err := checkReplaced(dir, name, old, want); err != nil {
		return Change{}, err
	}
	return Change{
		Name: name, Status: Stale, Old: old, New: want,
		LineEnds: bytes.Equal(withLF(old), want), perm: info.Mode().Perm(),
	}, nil
}

func withLF(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

func sortedNames(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }
