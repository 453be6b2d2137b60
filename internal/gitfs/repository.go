package gitfs

import (
	"bytes"
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
	top       string // of the working tree
	prefix    string // of the folder in it, with slashes; empty for the top itself
	submodule bool   // of the repository around it
}

// Enclosing finds the repository that encloses a folder.
func Enclosing(dir string) (*Repository, error) {
	p, err := placeOf(dir)
	if err != nil {
		return nil, fmt.Errorf("find the git repository: %w", err)
	}
	if p.top == "" {
		return nil, fmt.Errorf("%s is not in the working tree of a git repository", p.at)
	}
	r := &Repository{top: p.top, prefix: strings.Join(p.names, "/")}
	if err := r.checkTop(); err != nil {
		return nil, err
	}
	if r.submodule, err = r.isSubmodule(); err != nil {
		return nil, fmt.Errorf("find the git repository: %w", err)
	}
	return r, nil
}

// isSubmodule reports whether the repository around the working tree has it as a submodule. Git itself could be made to
// look for that repository among the files that are committed.
func (r *Repository) isSubmodule() (bool, error) {
	outer := &Repository{top: topOf(filepath.Dir(r.top))}
	if outer.top == "" || outer.top == r.top || outer.checkTop() != nil {
		return false, nil
	}
	inner, err := filepath.Rel(outer.top, r.top)
	if err != nil {
		return false, err
	}
	// MODE SP OBJECT SP STAGE TAB NAME NUL
	out, err := outer.git("ls-files", "--stage", "-z", "--", ":(top,literal)"+filepath.ToSlash(inner))
	return strings.HasPrefix(string(out), submoduleMode+" "), err
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

// At returns the files of a revision, to be closed after use. The revision is a branch, a tag, a commit, or what else
// git takes for one. A name that several refs have is refused: a pull request may bring a branch that is called like
// the one to compare with. So are the names in a submodule, whose repository the pull request chooses.
func (r *Repository) At(revision string) (*Tree, error) {
	commit, err := r.find(revision)
	if err != nil {
		return nil, fmt.Errorf("find revision %q: %w", revision, err)
	}
	return &Tree{repository: r, commit: commit}, nil
}

func (r *Repository) find(revision string) (commit string, err error) {
	switch {
	case revision == "" || strings.ContainsAny(revision, "\x00\r\n"):
		return "", errors.New("it is not a revision")
	case r.submodule && !objectName.MatchString(revision):
		return "", fmt.Errorf("%s is a submodule, and a change of .gitmodules can change all its branches and tags: "+
			"use the full id of a commit", r.top)
	}
	var complaints bytes.Buffer
	cmd := r.command(context.Background(), "rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return "", gitError("rev-parse", err, complaints.Bytes())
	}
	commit = strings.TrimSpace(string(out))
	switch {
	case !objectName.MatchString(commit):
		return "", errors.New("git names no commit")
	case !objectName.MatchString(revision) && bytes.Contains(complaints.Bytes(), []byte("is ambiguous")):
		return "", errors.New("several branches or tags have this name: name one in full, such as refs/remotes/origin/main")
	}
	return commit, nil
}

// git runs a command that only reads and returns its output.
func (r *Repository) git(args ...string) ([]byte, error) {
	out, err := r.command(context.Background(), args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, gitError(args[0], err, exit.Stderr)
	}
	return out, gitError(args[0], err, nil)
}

// command prepares a git command that only reads: with no remote repository to fetch from and nobody to ask.
func (r *Repository) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"--no-pager", "-c", "protocol.allow=never", "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=explicit",
		"-c", "core.warnAmbiguousRefs=true",
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
	"GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_LITERAL_PATHSPECS",
}

func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(chooses, name)
	})
}

// gitError makes an error of the first line that git printed.
func gitError(command string, err error, printed []byte) error {
	if err == nil {
		return nil
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(string(printed)), "\n"); first != "" {
		return fmt.Errorf("git %s: %s", command, strings.TrimPrefix(first, "fatal: "))
	}
	return fmt.Errorf("git %s: %w", command, err)
}
