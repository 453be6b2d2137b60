package bq

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTheTableOfFaultsIsTrue checks that docs/listener.md has a row for each fault, in order, and that the tests and
// limits that it names exist.
func TestTheTableOfFaultsIsTrue(t *testing.T) {
	document, err := os.ReadFile("../docs/listener.md")
	if err != nil {
		t.Fatal(err)
	}
	before, table, found := strings.Cut(string(document), "\n## The faults\n")
	if !found {
		t.Fatal("docs/listener.md has no section on the faults")
	}
	_, limits, found := strings.Cut(before, "\n## Limits of what a consumer can do\n")
	if !found {
		t.Fatal("docs/listener.md has no section on the limits")
	}
	limits, _, _ = strings.Cut(limits, "\n## ")
	tests := allTests(t)
	last := 0
	for _, m := range regexp.MustCompile(`(?m)^\| F([0-9]+) \| [^|]+ \| ([^|]+) \|$`).FindAllStringSubmatch(table, -1) {
		n, _ := strconv.Atoi(m[1])
		if n != last+1 {
			t.Errorf("fault F%d comes after F%d", n, last)
		}
		last = n
		for _, name := range strings.Split(m[2], ", ") {
			limit := strings.Contains(limits, "- **"+name+"**") || strings.Contains(limits, "- **"+name+".**")
			if !tests[name] && !limit {
				t.Errorf("fault F%d: %q is neither a test nor a limit", n, name)
			}
		}
	}
	if last != 40 {
		t.Errorf("the last fault is F%d, want F40", last)
	}
}

// allTests returns the names of the module's tests.
func allTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	testName := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range testName.FindAllSubmatch(source, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}
