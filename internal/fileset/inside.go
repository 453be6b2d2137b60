package fileset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrOutside is matched by errors about a symbolic link that leads out of a repository.
var ErrOutside = errors.New("a symbolic link leads out of the repository")

// CheckInside returns an error that matches [ErrOutside] when a path goes through a symbolic link that leads out of the
// git repository that the link is in, or out of the working folder when that is in none. Such links may come with a
// pull request, and would redirect what is written.
//
// The path itself is its user's choice: it may name a folder outside, and links on the way to the repository or to the
// working folder do not count. What does not exist yet leads nowhere.
func CheckInside(path string) error {
	here, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the working folder: %w", err)
	}
	w := pathWalk{}
	if w.here, err = filepath.EvalSymlinks(here); err != nil {
		return fmt.Errorf("find the working folder: %w", err)
	}
	absolute := filepath.Join(w.here, path)
	if filepath.IsAbs(path) {
		absolute = filepath.Clean(path)
		if inner, err := filepath.Rel(here, absolute); err == nil && filepath.IsLocal(inner) {
			absolute = filepath.Join(w.here, inner)
		}
	}
	w.at = filepath.VolumeName(absolute) + string(filepath.Separator)
	w.enter()
	for _, part := range strings.Split(absolute[len(w.at):], string(filepath.Separator)) {
		if err := w.step(part); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
	}
	return nil
}

// A pathWalk follows a path from the top of the file system.
type pathWalk struct {
	here string // the working folder, without symbolic links
	at   string // where the walk is, without symbolic links
	root string // what links must not leave; empty before there is one
}

// enter makes a repository what links must not leave, or the working folder when that is in none. Nobody can commit a
// .git.
func (w *pathWalk) enter() {
	if _, err := os.Lstat(filepath.Join(w.at, ".git")); err == nil || w.root == "" && w.at == w.here {
		w.root = w.at
	}
}

func (w *pathWalk) step(part string) error {
	next := filepath.Join(w.at, part)
	info, err := os.Lstat(next)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 || info.Mode()&fs.ModeIrregular != 0 {
		target, err := filepath.EvalSymlinks(next)
		switch {
		case errors.Is(err, fs.ErrNotExist) && w.root != "":
			return fmt.Errorf("%w: %s leads to nothing", ErrOutside, next)
		case err != nil:
			return err
		case w.root != "" && !isWithin(target, w.root):
			return fmt.Errorf("%w: %s leads to %s", ErrOutside, next, target)
		}
		next = target
	}
	w.at = next
	w.enter()
	return nil
}

func isWithin(path, folder string) bool {
	inner, err := filepath.Rel(folder, path)
	return err == nil && (inner == "." || filepath.IsLocal(inner))
}
