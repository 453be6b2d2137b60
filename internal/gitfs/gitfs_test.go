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
	t.Cleanup(tree.Close)
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
	if err := os.Symlink("a", filepath.Join(repo.dir, "folder")); err != nil {
		t.Fatal(err)
	}
	_, tree := at(t, repo.dir, repo.commit("c.yaml", "x"))
	for name, want := range map[string]error{
		"nowhere.yaml": fs.ErrNotExist, "a/nowhere.yaml": fs.ErrNotExist,
		"*.yaml": fs.ErrNotExist, ":(top)c.yaml": fs.ErrNotExist,
		"c.yaml/d": fs.ErrNotExist, "folder/b.yaml": fs.ErrNotExist,
		"a": fs.ErrInvalid, "folder": fs.ErrInvalid, "a/link.yaml": fs.ErrInvalid,
		"../c.yaml": fs.ErrInvalid, "/c.yaml": fs.ErrInvalid, "c.yaml\n": fs.ErrNotExist,
	} {
		if _, err := tree.Open(name); !errors.Is(err, want) {
			t.Errorf("%q: error %v, want %v", name, err, want)
		}
	}
}

// A catalog may refer to thousands of files. A process for each took minutes.
func TestOneProcessReadsAllFiles(t *testing.T) {
	repo := newRepo(t)
	repo.write("a/b/one.yaml", "one")
	repo.write("a/two.yaml", strings.Repeat("2", maxSkipped/2))
	repo.write("empty.yaml", "")
	_, tree := at(t, repo.dir, repo.commit("three.yaml", "three"))
	var git *objects
	for i, name := range []string{
		"a/b/one.yaml", "empty.yaml", "a/two.yaml", "nowhere.yaml", "three.yaml", "a/b/one.yaml",
	} {
		f, err := tree.Open(name)
		if name == "nowhere.yaml" {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if now := f.(*file).content; git != nil && git != now {
			t.Errorf("%s: another process reads it", name)
		} else {
			git = now
		}
		if i%2 == 0 { // the rest of the others is skipped
			if text, err := io.ReadAll(f); err != nil || len(text) != int(f.(*file).size) {
				t.Errorf("%s: %q, %v", name, text, err)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	tree.Close()
	if git.cmd.ProcessState == nil {
		t.Error("git is still running")
	}
}

// The same folder under many names takes a few kilobytes in git, and gigabytes to read it each time.
func TestFoldersAreReadUpToALimit(t *testing.T) {
	repo := newRepo(t)
	repo.write("a/x.yaml", "x")
	repo.write("b/x.yaml", "x")
	_, tree := at(t, repo.dir, repo.commit("c/y.yaml", "x"))
	for _, name := range []string{"a/x.yaml", "b/x.yaml"} {
		if _, err := fs.Stat(tree, name); err != nil {
			t.Fatal(err)
		}
	}
	if len(tree.folders) != 2 { // the top, and one for both
		t.Errorf("%d folders were read", len(tree.folders))
	}
	tree.read = maxFolders
	if _, err := fs.Stat(tree, "c/y.yaml"); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("error %v", err)
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
	git := f.(*file).content
	if text, err := io.ReadAll(io.LimitReader(f, 10)); err != nil || string(text) != "xxxxxxxxxx" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if git.cmd.ProcessState == nil {
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

// A pull request that replaces the folder of the catalog by a link to another one is still compared with what stood in
// the folder.
func TestALinkInTheWorkingTreeCountsByItsName(t *testing.T) {
	repo := newRepo(t)
	repo.write("examples/urns.yaml", "example")
	first := repo.commit("cat/urns.yaml", "genuine")
	if err := os.RemoveAll(filepath.Join(repo.dir, "cat")); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) string {
		t.Helper()
		path := filepath.Join(repo.dir, name)
		if err := os.Symlink(to, path); err != nil {
			t.Skip(err)
		}
		return path
	}
	dir := link("examples", "cat")
	check := func(dir string) {
		t.Helper()
		r, tree := at(t, dir, first)
		if text, err := fs.ReadFile(tree, r.Path("urns.yaml")); err != nil || string(text) != "genuine" {
			t.Errorf("%s: got %q at %s, %v", dir, text, r.Path("urns.yaml"), err)
		}
	}
	check(dir)
	checkout := filepath.Join(t.TempDir(), "checkout") // a link on the way is the user's own
	if err := os.Symlink(repo.dir, checkout); err != nil {
		t.Fatal(err)
	}
	check(filepath.Join(checkout, "cat"))
	t.Chdir(dir)
	check(".")
	other := newRepo(t)
	other.commit("urns.yaml", "forged")
	if r, err := Enclosing(link(other.dir, "out")); err == nil || !strings.Contains(err.Error(), "leads out") {
		t.Errorf("repository %+v, error %v", r, err)
	}
	second := repo.commit("more.yaml", "x")
	r, tree := at(t, dir, second)
	if _, err := tree.Open(r.Path("urns.yaml")); err == nil || !strings.Contains(err.Error(), "cat is a symbolic link") {
		t.Errorf("error %v", err)
	}
}

// A branch of a fork may be called like the one to compare with.
func TestANameOfSeveralRefsIsRefused(t *testing.T) {
	repo := newRepo(t)
	genuine := repo.commit("a", "genuine")
	repo.git("update-ref", "refs/remotes/origin/main", genuine)
	forged := repo.commit("a", "forged")
	repo.git("branch", "origin/main", forged)
	repo.git("branch", genuine, forged) // with a warning; the id of a commit is always that commit
	repo.git("config", "core.warnAmbiguousRefs", "false")
	r, err := Enclosing(repo.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"origin/main", "origin/main~0"} {
		if _, err := r.At(name); err == nil || !strings.Contains(err.Error(), "several branches or tags") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, name := range []string{"refs/remotes/origin/main", "remotes/origin/main", genuine} {
		if _, tree := at(t, repo.dir, name); tree.commit != genuine {
			t.Errorf("%s is %s", name, tree.commit)
		}
	}
}

// A pull request can make the folder of the catalog a submodule, and so choose all its branches.
func TestInASubmoduleOnlyTheIdOfACommitCounts(t *testing.T) {
	other := newRepo(t)
	forged := other.commit("urns.yaml", "forged")
	repo := newRepo(t)
	repo.write("parent/HEAD", "ref: refs/heads/main\n") // git itself looks here for the repository around the submodule
	repo.write("parent/config", "[core]\nbare = true\n")
	repo.write("parent/objects/.keep", "")
	repo.commit("parent/refs/.keep", "")
	repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.dir, "parent/cat")
	repo.git("commit", "-q", "-m", "c")
	r, err := Enclosing(filepath.Join(repo.dir, "parent", "cat"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main", "HEAD", "origin/main", forged[:12], forged + "~0"} {
		if _, err := r.At(name); err == nil || !strings.Contains(err.Error(), "is a submodule") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if tree, err := r.At(forged); err != nil || tree.commit != forged {
		t.Errorf("error %v", err)
	}
	nested := repo // a repository of the user's own, which nobody can commit
	nested.dir = filepath.Join(repo.dir, "nested")
	if err := os.Mkdir(nested.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	nested.git("init", "-q", "-b", "main")
	nested.git("config", "user.email", "a@example.com")
	nested.git("config", "user.name", "A")
	nested.commit("urns.yaml", "own")
	if r, tree := at(t, nested.dir, "main"); r.submodule || tree == nil {
		t.Errorf("submodule %v", r.submodule)
	}
}
