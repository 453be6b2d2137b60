package load

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
)

var update = flag.Bool("update", false, "rewrite the expected findings in testdata")

// TestFindings checks all findings of each catalog in testdata/findings against the text file next to it.
func TestFindings(t *testing.T) {
	for _, path := range catalogs(t, "findings") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, findings := Parse(filepath.Base(path), src)
			if c != nil || len(findings) == 0 {
				t.Fatal("the catalog was accepted")
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".txt", textOf(t, findings))
		})
	}
}

// TestGood checks that the catalogs in testdata/good have no findings, and what they are read as.
func TestGood(t *testing.T) {
	for _, path := range catalogs(t, "good") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			c, findings, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(findings) > 0 {
				t.Fatalf("findings:\n%s", textOf(t, findings))
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".txt", dump(c))
		})
	}
}

func catalogs(t testing.TB, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no catalogs in testdata/%s", folder)
	}
	return paths
}

// golden compares got with a file. A file that is not there yet fails, with -update too, so that no
// case is taken in unseen: the second run passes.
func golden(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if *update && string(want) != got {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Errorf("%s is new: read it, then run again", path)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v: run with -update to write it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func textOf(t *testing.T, findings schema.Diagnostics) string {
	t.Helper()
	var out strings.Builder
	for _, d := range findings {
		out.WriteString(d.String() + "\n")
		if d.Hint != "" {
			out.WriteString("    hint: " + d.Hint + "\n")
		}
	}
	return out.String()
}
