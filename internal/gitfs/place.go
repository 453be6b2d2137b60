package gitfs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A place is where a folder is, as far as a walk along its path has come.
type place struct {
	at    string   // the folder, without symbolic links
	top   string   // of the working tree around it; empty when it is in none
	names []string // the way from the top to the folder, as its user names it
}

// placeOf follows the path of a folder from the top of the file system.
//
// A pull request can replace a folder by a symbolic link, so a link in a working tree counts by its own name: what the
// catalog is compared with stood at that name, not where the link leads now. A link that leads out of the working tree
// would choose another repository, and is refused. Links on the way to the working tree are the user's own.
func placeOf(dir string) (place, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return place{}, err
	}
	p := place{at: filepath.VolumeName(dir) + string(filepath.Separator)}
	p.enter()
	for part := range strings.SplitSeq(dir[len(p.at):], string(filepath.Separator)) {
		if part == "" {
			continue // the top of the file system
		}
		if err := p.step(part); err != nil {
			return place{}, err
		}
	}
	return p, nil
}

func (p *place) step(part string) error {
	next := filepath.Join(p.at, part)
	info, err := os.Lstat(next)
	if err != nil {
		return err
	}
	if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		return p.follow(next, part)
	}
	p.at, p.names = next, append(p.names, part)
	p.enter()
	return nil
}

// enter makes the folder the top of a working tree if it has a .git, which git lets nobody commit. Git itself would
// stop earlier, at a folder that has the files of a bare repository.
func (p *place) enter() {
	if _, err := os.Lstat(filepath.Join(p.at, ".git")); err == nil {
		p.top, p.names = p.at, nil
	}
}

// follow follows a symbolic link to the place that it leads to.
func (p *place) follow(link, name string) error {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		return err
	}
	top := topOf(target)
	if p.top != "" && p.top == top {
		p.at, p.names = target, append(p.names, name)
		return nil
	}
	if inner, err := filepath.Rel(p.top, target); p.top != "" && (err != nil || !filepath.IsLocal(inner)) {
		return fmt.Errorf("the symbolic link %s leads out of the working tree to %s", link, target)
	}
	p.at, p.top, p.names = target, top, nil
	if inner, err := filepath.Rel(top, target); top != "" && err == nil && inner != "." {
		p.names = strings.Split(inner, string(filepath.Separator))
	}
	return nil
}

// topOf returns the nearest folder around a folder without symbolic links that has a .git; empty when there is none.
func topOf(dir string) string {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top
		}
		if top == filepath.Dir(top) {
			return ""
		}
	}
}
