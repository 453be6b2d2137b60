package fileset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// generated makes the content of a generated file.
func generated(body string) []byte { return []byte(Header + "\n\n" + body + "\n") }

// both are the functions that look at a folder, by name.
var both = map[string]func(string, map[string][]byte) ([]Change, error){"Write": Write, "Compare": Compare}

// folder makes a folder that holds files; a nil content makes a directory.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		var err error
		if content == nil {
			err = os.Mkdir(path, 0o755)
		} else {
			err = os.WriteFile(path, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var old = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// content reads all of a folder: name -> text, directories with a slash.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			found[filepath.ToSlash(name)+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func statuses(changes []Change) []string {
	var out []string
	for _, c := range changes {
		text := fmt.Sprintf("%s %d", c.Name, c.Status)
		if c.LineEnds {
			text += " line ends"
		}
		out = append(out, text)
	}
	return out
}

func TestCompareNamesWhatIsMissingStaleAndOrphaned(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"same.bq.go":        generated("package a"),
		"stale.bq.go":       generated("package b"),
		"crlf.bq.go":        []byte(Header + "\r\n\r\npackage c\r\n"),
		"both.bq.go":        []byte(Header + "\r\n\r\npackage x\r\n"),
		"orphan.bq.go":      generated("package d"),
		"orphan-crlf.bq.go": []byte(Header + "\r\n"),
		"header-only.bq.go": []byte(Header),
		"hand.bq.go":        []byte("package e\n\n" + Header + "\n"),
		"hand-near.bq.go":   []byte(Header + " Really\npackage e\n"),
		"empty.bq.go":       {},
		"generated.go":      generated("package f"),
		"notes.txt":         []byte("x"),
		"folder.bq.go":      nil,
	})
	files := map[string][]byte{
		"same.bq.go":  generated("package a"),
		"stale.bq.go": generated("package a"),
		"crlf.bq.go":  generated("package c"),
		"both.bq.go":  generated("package c"),
		"new.bq.go":   generated("package a"),
	}
	before := content(t, dir)
	changes, err := Compare(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"both.bq.go 2", "crlf.bq.go 2 line ends", "header-only.bq.go 3", "new.bq.go 1", "orphan-crlf.bq.go 3",
		"orphan.bq.go 3", "stale.bq.go 2",
	}
	if diff := cmp.Diff(want, statuses(changes)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(before, content(t, dir)); diff != "" {
		t.Errorf("Compare changed the folder:\n%s", diff)
	}
}

func TestCompareOfAFolderThatIsNotThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	changes, err := Compare(dir, map[string][]byte{"a.bq.go": generated("package a")})
	if err != nil || len(changes) != 1 || changes[0].Status != Missing {
		t.Errorf("got %v, %v", changes, err)
	}
	if _, err := os.Stat(filepath.Dir(dir)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("Compare made the folder")
	}
}

func TestDiffIsUnifiedAndBlindToLineEnds(t *testing.T) {
	c := Change{Name: "a.bq.go", Status: Stale, Old: []byte("one\r\ntwo\r\nthree\r\n"), New: []byte("one\n2\nthree\n")}
	want := "diff out/a.bq.go out/a.bq.go (generated)\n--- out/a.bq.go\n+++ out/a.bq.go (generated)\n" +
		"@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
	if diff := cmp.Diff(want, string(c.Diff("out"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	c.New = withLF(c.Old)
	if got := c.Diff("out"); len(got) > 0 {
		t.Errorf("line ends make a diff:\n%s", got)
	}
	if got := (Change{Name: "a.bq.go", Status: Missing, New: []byte("x\n")}).Diff("out"); got != nil {
		t.Errorf("a missing file has a diff:\n%s", got)
	}
}

func TestWriteMakesTheFolderHoldTheFiles(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"same.bq.go":   generated("package a"),
		"stale.bq.go":  generated("package b"),
		"crlf.bq.go":   []byte(Header + "\r\n\r\npackage c\r\n"),
		"orphan.bq.go": generated("package d"),
		"hand.go":      []byte("package e\n"),
		"hand.bq.go":   []byte("package e\n"),
	})
	files := map[string][]byte{
		"same.bq.go":  generated("package a"),
		"stale.bq.go": generated("package a"),
		"crlf.bq.go":  generated("package c"),
		"new.bq.go":   generated("package a"),
	}
	changes, err := Write(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"crlf.bq.go 2 line ends", "new.bq.go 1", "orphan.bq.go 3", "stale.bq.go 2"}
	if diff := cmp.Diff(wanted, statuses(changes)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	want := map[string]string{"hand.go": "package e\n", "hand.bq.go": "package e\n"}
	for name, text := range files {
		want[name] = string(text)
	}
	if diff := cmp.Diff(want, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for name, touched := range map[string]bool{
		"same.bq.go": false, "hand.go": false, "hand.bq.go": false, "stale.bq.go": true, "new.bq.go": true,
	} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := !info.ModTime().Equal(old); got != touched {
			t.Errorf("%s: touched is %v, want %v", name, got, touched)
		}
		perm := map[bool]fs.FileMode{true: 0o644, false: 0o600}[name == "new.bq.go"] // replaced files keep theirs
		if info.Mode().Perm() != perm {
			t.Errorf("%s has permissions %v, want %v", name, info.Mode().Perm(), perm)
		}
	}
	if changes, err := Write(dir, files); len(changes) > 0 || err != nil {
		t.Errorf("a second run changed %v, %v", statuses(changes), err)
	}
}

func TestWriteMakesTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if _, err := Write(dir, map[string][]byte{"a.bq.go": generated("package a")}); err != nil {
		t.Fatal(err)
	}
	if got := content(t, dir); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

func TestWriteRefusesWhatIsInTheWay(t *testing.T) {
	files := map[string][]byte{"a.bq.go": generated("package a"), "b.bq.go": generated("package a")}
	for name, put := range map[string]func(path string) error{
		"a hand-written file":       func(path string) error { return os.WriteFile(path, []byte("package a\n"), 0o644) },
		"an empty file":             func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"a directory":               func(path string) error { return os.Mkdir(path, 0o755) },
		"a symbolic link":           func(path string) error { return os.Symlink("elsewhere", path) },
		"a symbolic link to itself": func(path string) error { return os.Symlink(filepath.Base(path), path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, nil)
			path := filepath.Join(dir, "b.bq.go")
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			for what, do := range both {
				_, err := do(dir, files)
				if !errors.Is(err, ErrInTheWay) || !strings.Contains(err.Error(), path) {
					t.Errorf("%s: error %v", what, err)
				}
			}
			if entries, _ := os.ReadDir(dir); len(entries) != 1 {
				t.Errorf("something was written: %v", entries)
			}
		})
	}
	t.Run("a file where the folder belongs", func(t *testing.T) {
		dir := folder(t, map[string][]byte{"out": []byte("x")})
		for _, out := range []string{filepath.Join(dir, "out"), filepath.Join(dir, "out", "deeper")} {
			if _, err := Write(out, files); err == nil {
				t.Errorf("%s: no error", out)
			}
		}
		if diff := cmp.Diff(map[string]string{"out": "x"}, content(t, dir)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFilesThatCouldNotBeToldFromHandWrittenOnesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"a.go": Header + "\n", "../a.bq.go": Header + "\n", "x/a.bq.go": Header + "\n", "a.bq.go": "package a\n",
		".bq.go/": Header,
	} {
		dir := folder(t, nil)
		if _, err := Write(dir, map[string][]byte{name: []byte(text)}); err == nil {
			t.Errorf("%q was written", name)
		}
	}
}

var errDisk = errors.New("disk on fire")

// failAfter renames n times, then fails.
func failAfter(n int) func(from, to string) error {
	return func(from, to string) error {
		if n--; n < 0 {
			return errDisk
		}
		return os.Rename(from, to)
	}
}

func TestWhateverStepFailsTheFolderIsAsBefore(t *testing.T) {
	files := map[string][]byte{
		"a-new.bq.go":   generated("package a"),
		"b-stale.bq.go": generated("package a"),
		"d-stale.bq.go": generated("package a"),
		"f-new.bq.go":   generated("package a"),
	}
	before := map[string][]byte{
		"b-stale.bq.go":  generated("package b"),
		"c-orphan.bq.go": generated("package b"),
		"d-stale.bq.go":  generated("package b"),
		"e-orphan.bq.go": generated("package b"),
		"hand.go":        []byte("package e\n"),
	}
	const renames = 6 // one for each file
	for n := range renames + 1 {
		t.Run(fmt.Sprint(n, " renames"), func(t *testing.T) {
			dir := folder(t, before)
			want := content(t, dir)
			changes, err := Compare(dir, files)
			if err != nil {
				t.Fatal(err)
			}
			err = (&transaction{dir: dir, rename: failAfter(n)}).run(changes)
			if n == renames {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, errDisk) {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(want, content(t, dir)); diff != "" {
				t.Errorf("the folder changed:\n%s", diff)
			}
			info, err := os.Stat(filepath.Join(dir, "b-stale.bq.go"))
			if err != nil || !info.ModTime().Equal(old) || info.Mode().Perm() != 0o600 {
				t.Errorf("the old file did not come back as it was: %v, %v", info, err)
			}
		})
	}
}

func TestAFolderMadeForNothingIsRemoved(t *testing.T) {
	parent := t.TempDir()
	failing := &transaction{dir: filepath.Join(parent, "a", "b"), rename: failAfter(0)}
	err := failing.run([]Change{{Name: "a.bq.go", Status: Missing, New: generated("package a")}})
	if !errors.Is(err, errDisk) {
		t.Fatalf("error %v", err)
	}
	if got := content(t, parent); len(got) != 0 {
		t.Errorf("left behind: %v", got)
	}
}

func TestWhatCannotBePutBackIsSaid(t *testing.T) {
	dir := folder(t, map[string][]byte{"b.bq.go": generated("package b")})
	// Somebody puts a folder where the old file was, so that it cannot come back.
	intrude := func(_, to string) error {
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(to, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		return errDisk
	}
	changes := []Change{{Name: "b.bq.go", Status: Stale, New: generated("package a"), perm: 0o644}}
	err := (&transaction{dir: dir, rename: intrude}).run(changes)
	if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "put back what was there") {
		t.Errorf("error %v", err)
	}
	found := false
	for _, text := range content(t, dir) {
		found = found || text == string(generated("package b"))
	}
	if !found {
		t.Error("the old content is lost")
	}
}

func TestCreateOverwritesNothing(t *testing.T) {
	files := map[string][]byte{"gen.go": []byte("package a\n"), "urns.yaml": []byte("bqgen: 1\n")}
	dir := filepath.Join(t.TempDir(), "new")
	if err := Create(dir, files); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"gen.go": "package a\n", "urns.yaml": "bqgen: 1\n"}
	if diff := cmp.Diff(want, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	dir = folder(t, map[string][]byte{"urns.yaml": []byte("mine")})
	if err := Create(dir, files); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "urns.yaml") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"urns.yaml": "mine"}, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCreateYieldsToAFileThatCameInTheMeantime(t *testing.T) {
	dir := folder(t, map[string][]byte{"b": []byte("mine")})
	changes := []Change{{Name: "a", Status: Missing, New: []byte("1")}, {Name: "b", Status: Missing, New: []byte("2")}}
	if err := (&transaction{dir: dir, rename: renameNew}).run(changes); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"b": "mine"}, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A repository can contain a file of any size. This one takes no room on the disk.
func TestALargeFileIsNotRead(t *testing.T) {
	dir := folder(t, map[string][]byte{"a.bq.go": generated("package a"), "b.bq.go": generated("package a")})
	for _, name := range []string{"a.bq.go", "b.bq.go"} {
		if err := os.Truncate(filepath.Join(dir, name), 1<<40); err != nil {
			t.Skip(err)
		}
	}
	changes, err := Compare(dir, map[string][]byte{"c.bq.go": generated("package a")})
	if err != nil || len(changes) != 3 || len(changes[0].Old) > maxStart || len(changes[1].Old) > maxStart {
		t.Errorf("orphans: %d changes, error %v", len(changes), err)
	}
	_, err = Compare(dir, map[string][]byte{"a.bq.go": generated("package a"), "b.bq.go": generated("package a")})
	if !errors.Is(err, ErrInTheWay) || !strings.Contains(err.Error(), "too large to be generated") {
		t.Errorf("error %v", err)
	}
}

func TestNamesWithoutCase(t *testing.T) {
	for _, same := range [][]string{{"a.bq.go", "A.BQ.GO"}, {"ſ", "s", "S"}, {"K", "k", "K"}, {"σ", "ς", "Σ"}} {
		for _, name := range same {
			if !strings.EqualFold(name, same[0]) || withoutCase(name) != withoutCase(same[0]) {
				t.Errorf("%s and %s differ", name, same[0])
			}
		}
	}
	if withoutCase("a") == withoutCase("b") {
		t.Error("a and b are the same")
	}
}
