package gitfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repo is a repository in a temporary folder.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	r := repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.git("config", "user.email", "a@example.com")
	r.git("config", "user.name", "A")
	return r
}

func (r repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r repo) commit(name, text string) string {
	r.t.Helper()
	r.write(name, text)
	r.git("add", "-A", "-f")
	r.git("commit", "-q", "-m", "c")
	return r.git("rev-parse", "HEAD")
}

func at(t *testing.T, dir, revision string) (*Repository, *Tree) {
	t.Helper()
	r, err := Enclosing(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.At(revision)
	if err != nil {
		t.Fatal(err)
	}
	return r, tree
}

func TestFilesAreThoseOfTheRevision(t *testing.T) {
	repo := newRepo(t)
	first := repo.commit("events/urns.yaml", "one")
	repo.commit("events/urns.yaml", "two")
	r, tree := at(t, filepath.Join(repo.dir, "events"), first)
	if got := r.Path("urns.yaml"); got != "events/urns.yaml" {
		t.Errorf("path %q", got)
	}
	if text, err := fs.ReadFile(tree, r.Path("urns.yaml")); err != nil || string(text) != "one" {
		t.Errorf("got %q, %v", text, err)
	}
	if info, err := fs.Stat(tree, "events/urns.yaml"); err != nil || info.Size() != 3 || !info.Mode().IsRegular() {
		t.Errorf("got %v, %v", info, err)
	}
	if r, _ = at(t, repo.dir, "main"); r.Path("urns.yaml") != "urns.yaml" {
		t.Errorf("path at the top: %q", r.Path("urns.yaml"))
	}
}

func TestOnlyOrdinaryFilesAreOpened(t *testing.T) {
	repo := newRepo(t)
	repo.write("a/b.yaml", "x")
	if err := os.Symlink("b.yaml", filepath.Join(repo.dir, "a", "link.yaml")); err != nil {
		t.Skip(err)
	}
	_, tree := at(t, repo.dir, repo.commit("c.yaml", "x"))
	for name, want := range map[string]error{
		"nowhere.yaml": fs.ErrNotExist, "a/nowhere.yaml": fs.ErrNotExist,
		"*.yaml": fs.ErrNotExist, ":(top)c.yaml": fs.ErrNotExist,
		"a": fs.ErrInvalid, "a/link.yaml": fs.ErrInvalid,
		"../c.yaml": fs.ErrInvalid, "/c.yaml": fs.ErrInvalid, "c.yaml\n": fs.ErrInvalid,
	} {
		if _, err := tree.Open(name); !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", name, err, want)
		}
	}
}

// A reader that stops early makes git stop.
func TestABlobIsReadAsFarAsNeeded(t *testing.T) {
	repo := newRepo(t)
	_, tree := at(t, repo.dir, repo.commit("big", strings.Repeat("x", 8<<20)))
	f, err := tree.Open("big")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(io.LimitReader(f, 10)); err != nil || string(text) != "xxxxxxxxxx" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if f.(*file).cmd.ProcessState == nil {
		t.Error("git is still running")
	}
	if _, err := f.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("read after close: error %v", err)
	}
}

func TestARevisionIsNeitherAnOptionNorSeveral(t *testing.T) {
	repo := newRepo(t)
	repo.commit("a", "x")
	r, err := Enclosing(repo.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{
		"", "nowhere", "--all", "--help", "HEAD --all", "HEAD\nmain", "HEAD:a", "HEAD..main",
	} {
		if _, err := r.At(revision); err == nil {
			t.Errorf("%q is a revision", revision)
		}
	}
}

func TestAFolderOutsideOfARepositoryHasNoHistory(t *testing.T) {
	if _, err := Enclosing(t.TempDir()); err == nil || !strings.Contains(err.Error(), "git repository") {
		t.Errorf("error %v", err)
	}
	if _, err := Enclosing(filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// The files of a bare repository, committed next to the catalog, are not the history of the catalog.
func TestACommittedBareRepositoryIsNotTrusted(t *testing.T) {
	repo := newRepo(t)
	repo.commit("cat/urns.yaml", "genuine")
	evil := repo
	evil.dir = t.TempDir()
	evil.git("init", "-q", "-b", "main")
	evil.git("config", "user.email", "a@example.com")
	evil.git("config", "user.name", "A")
	evil.commit("cat/urns.yaml", "forged")
	evil.commit("urns.yaml", "forged")
	bare := filepath.Join(repo.dir, "cat")
	for _, name := range []string{"HEAD", "config", "objects", "refs"} {
		if err := copyTree(filepath.Join(evil.dir, ".git", name), filepath.Join(bare, name)); err != nil {
			t.Fatal(err)
		}
	}
	evil.dir = bare
	evil.git("config", "-f", "config", "core.bare", "true")
	if got := evil.git("rev-parse", "--is-bare-repository"); got != "true" {
		t.Fatalf("the attack does not work: %s", got)
	}
	r, tree := at(t, bare, "main")
	if text, err := fs.ReadFile(tree, r.Path("urns.yaml")); err != nil || string(text) != "genuine" {
		t.Errorf("got %q, %v", text, err)
	}
}

func copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

func TestReplacedObjectsAndVariablesChangeNothing(t *testing.T) {
	repo := newRepo(t)
	first := repo.commit("a", "genuine")
	second := repo.commit("a", "forged")
	repo.git("replace", first, second)
	other := newRepo(t)
	other.commit("a", "forged")
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	_, tree := at(t, repo.dir, first)
	if text, err := fs.ReadFile(tree, "a"); err != nil || string(text) != "genuine" {
		t.Errorf("got %q, %v", text, err)
	}
}

// Git and this package agree on the working tree, or there is no history.
func TestAnotherWorkingTreeIsRefused(t *testing.T) {
	repo := newRepo(t)
	repo.commit("a", "x")
	repo.git("config", "core.worktree", t.TempDir())
	if _, err := Enclosing(repo.dir); err == nil {
		t.Error("no error")
	}
}
