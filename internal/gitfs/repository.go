package gitfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Repository is the git repository whose working tree contains a folder.
type Repository struct {
	top    string // of the working tree
	prefix string // of the folder in it, with slashes; empty for the top itself
}

// Enclosing finds the repository that encloses a folder.
func Enclosing(dir string) (*Repository, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("find the git repository: %w", err)
	}
	top, err := topOf(dir)
	if err != nil {
		return nil, err
	}
	prefix, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, fmt.Errorf("find the git repository: %w", err)
	}
	r := &Repository{top: top, prefix: filepath.ToSlash(prefix)}
	if r.prefix == "." {
		r.prefix = ""
	}
	return r, r.checkTop()
}

// topOf finds the nearest folder with a .git, which git lets nobody commit. Git itself would stop earlier, at a folder
// that has the files of a bare repository.
func topOf(dir string) (string, error) {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top, nil
		}
		if top == filepath.Dir(top) {
			return "", fmt.Errorf("%s is not in the working tree of a git repository", dir)
		}
	}
}

// checkTop makes sure that git takes the same folder for the top of the working tree.
func (r *Repository) checkTop() error {
	out, err := r.git("rev-parse", "--show-toplevel")
	if err != nil {
		return fmt.Errorf("find the git repository: %w", err)
	}
	name := strings.TrimSuffix(string(out), "\n")
	want, err := os.Stat(r.top)
	if err != nil {
		return fmt.Errorf("find the git repository: %w", err)
	}
	if got, err := os.Stat(filepath.FromSlash(name)); err != nil || !os.SameFile(got, want) {
		return fmt.Errorf("find the git repository: git takes %q for the working tree of %s", name, r.top)
	}
	return nil
}

// Path returns the path of a file in the folder as it is from the top of the repository.
func (r *Repository) Path(base string) string {
	if r.prefix == "" {
		return base
	}
	return r.prefix + "/" + base
}

var objectName = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// At returns the files of a revision: a branch, a tag, a commit, or what else git takes for one revision.
func (r *Repository) At(revision string) (*Tree, error) {
	if revision == "" || strings.ContainsAny(revision, "\x00\r\n") {
		return nil, fmt.Errorf("read from git: %q is not a revision", revision)
	}
	out, err := r.git("rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("find revision %q: %w", revision, err)
	}
	commit := strings.TrimSpace(string(out))
	if !objectName.MatchString(commit) {
		return nil, fmt.Errorf("find revision %q: git names no commit", revision)
	}
	return &Tree{repository: r, commit: commit}, nil
}

// git runs a command that only reads and returns its output.
func (r *Repository) git(args ...string) ([]byte, error) {
	out, err := r.command(context.Background(), args...).Output()
	return out, gitError(args[0], err)
}

// command prepares a git command that only reads: with no remote repository to fetch from and nobody to ask.
func (r *Repository) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"--no-pager", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit",
	}, args...)...)
	cmd.Dir = r.top
	cmd.Env = append(environment(),
		"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
	return cmd
}

// chooses are the variables that make git read another repository than the one it runs in, or change its objects. Hooks
// set some of them.
var chooses = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE",
	"GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX",
}

func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(chooses, name)
	})
}

// gitError makes an error of the first line that git printed.
func gitError(command string, err error) error {
	var exit *exec.ExitError
	if err == nil {
		return nil
	}
	if errors.As(err, &exit) {
		if first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n"); first != "" {
			return fmt.Errorf("git %s: %s", command, strings.TrimPrefix(first, "fatal: "))
		}
	}
	return fmt.Errorf("git %s: %w", command, err)
}
