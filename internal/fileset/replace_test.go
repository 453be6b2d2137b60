package fileset

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReplaceKeepsPermissionsAndLinks(t *testing.T) {
	dir := folder(t, map[string][]byte{"real": nil})
	file := filepath.Join(dir, "real", "urns.yaml")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o640); err != nil { // whatever the umask
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(filepath.Join("real", "urns.yaml"), link); err != nil {
		t.Skip(err)
	}
	if err := Replace(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	want := map[string]string{"real/": "", "real/urns.yaml": "new", "link.yaml": "new"}
	if diff := cmp.Diff(want, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReplaceRefusesOtherThanWritableFiles(t *testing.T) {
	dir := folder(t, map[string][]byte{"folder": nil, "closed": []byte("mine")})
	closed := filepath.Join(dir, "closed")
	if err := os.Chmod(closed, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := Replace(closed, []byte("x")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file without write permission: error %v", err)
	}
	if err := Replace(filepath.Join(dir, "nowhere"), []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: error %v", err)
	}
	if err := Replace(filepath.Join(dir, "folder"), []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if diff := cmp.Diff(map[string]string{"folder/": "", "closed": "mine"}, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// While a file is replaced, its name always leads to the old content or to the new.
func TestAStaleFileIsNeverMissing(t *testing.T) {
	dir := folder(t, map[string][]byte{"a.bq.go": generated("package b")})
	if err := os.Link(filepath.Join(dir, "a.bq.go"), filepath.Join(dir, "other")); err != nil {
		t.Skip("no hard links here")
	}
	watch := func(from, to string) error {
		if text, err := os.ReadFile(to); err != nil || string(text) != string(generated("package b")) {
			t.Errorf("before the new file came: %q, %v", text, err)
		}
		return os.Rename(from, to)
	}
	changes, err := Compare(dir, map[string][]byte{"a.bq.go": generated("package a")})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&transaction{dir: dir, rename: watch}).run(changes); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.bq.go": string(generated("package a")), "other": string(generated("package b"))}
	if diff := cmp.Diff(want, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
