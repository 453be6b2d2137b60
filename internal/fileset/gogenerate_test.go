package fileset

import (
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnderGoGenerateAnOrphanBecomesAPlaceholderFirst(t *testing.T) {
	dir := t.TempDir()
	write := func(names ...string) []Change {
		t.Helper()
		files := map[string][]byte{}
		for _, name := range names {
			files[name] = goFile("a.yaml", "package a")
		}
		changes, err := Write(dir, files)
		if err != nil {
			t.Fatal(err)
		}
		return changes
	}
	write("catalog.bq.go", "gone.bq.go", "gone.codec.bq.go")

	t.Setenv("GOFILE", "main.go")
	t.Setenv("GOLINE", "12")
	changes := write("catalog.bq.go")
	if diff := cmp.Diff([]string{"gone.bq.go 2", "gone.codec.bq.go 2"}, statuses(changes)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(filepath.Join(dir, "gone.codec.bq.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{Header + "\n// Source: a.yaml\n", "\n//go:generate ", "\npackage a\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the placeholder lacks %q:\n%s", want, text)
		}
	}
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"catalog.bq.go"}, p.GoFiles); diff != "" {
		t.Errorf("the go command builds (-want +got):\n%s", diff)
	}

	// A check reports what is left, and the next run removes it.
	orphans, err := Compare(dir, map[string][]byte{"catalog.bq.go": goFile("a.yaml", "package a")})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"gone.bq.go 3", "gone.codec.bq.go 3"}
	if diff := cmp.Diff(want, statuses(orphans)); diff != "" {
		t.Errorf("Compare (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, statuses(write("catalog.bq.go"))); diff != "" {
		t.Errorf("the next run (-want +got):\n%s", diff)
	}
	if got := content(t, dir); len(got) != 1 {
		t.Errorf("left are %v", got)
	}
}

func TestOtherwiseAnOrphanIsRemovedAtOnce(t *testing.T) {
	dir := folder(t, map[string][]byte{"gone.bq.go": goFile("a.yaml", "package a"),
		"gone.codec.bq.go": goFile("a.yaml", "package a")})
	changes, err := Write(dir, map[string][]byte{"catalog.bq.go": goFile("a.yaml", "package a")})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"catalog.bq.go 1", "gone.bq.go 3", "gone.codec.bq.go 3"}
	if diff := cmp.Diff(want, statuses(changes)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
