package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTheTableOfScenariosIsTrue checks that docs/operations.md has a row for each scenario, in order, that the tests it
// names exist, and that a scenario without a test says so.
func TestTheTableOfScenariosIsTrue(t *testing.T) {
	document, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(document), "## The scenarios")
	tests := testNames(t)
	row := regexp.MustCompile(`(?m)^\| O([0-9]+) \|[^|]+\|([^|]*)\|([^|]*)\|$`)
	next := 1
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		if n, _ := strconv.Atoi(m[1]); n != next {
			t.Errorf("scenario O%d is where O%d should be", n, next)
		}
		next++
		named := strings.TrimSpace(m[2])
		if named == "" {
			if !strings.HasPrefix(m[3], " all") {
				t.Errorf("scenario O%s has no test and does not say so", m[1])
			}
			continue
		}
		for _, name := range strings.Split(named, ", ") {
			if !tests[name] {
				t.Errorf("scenario O%s is said to be tested by %s, which does not exist", m[1], name)
			}
		}
	}
	if next != 52 {
		t.Errorf("the table has %d scenarios, want 51", next-1)
	}
}

// testNames returns the names of all tests of the module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	name := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range name.FindAllStringSubmatch(string(source), -1) {
			tests[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}
