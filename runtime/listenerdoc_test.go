package bq

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestListenerDocumentIsTrue checks that docs/listener.md has a row for each scenario that the pipeline is for, in
// order, and that the tests it names exist.
func TestListenerDocumentIsTrue(t *testing.T) {
	document, err := os.ReadFile("../docs/listener.md")
	if err != nil {
		t.Fatal(err)
	}
	tests, _, _ := testsAndRules(t)
	_, table, found := strings.Cut(string(document), "## The scenarios")
	if !found {
		t.Fatal("docs/listener.md has no section on the scenarios")
	}
	row := regexp.MustCompile(`(?m)^\| L([0-9]+) \| [^|]+ \| ([^|]+) \|$`)
	documented, last := map[int]bool{}, 0
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		n, _ := strconv.Atoi(m[1])
		if n <= last {
			t.Errorf("scenario L%d comes after L%d", n, last)
		}
		documented[n], last = true, n
		for _, name := range strings.Split(m[2], ", ") {
			if !tests[name] {
				t.Errorf("scenario L%d is said to be tested by %s, which does not exist", n, name)
			}
		}
	}
	for n := 1; n <= 75; n++ {
		if !documented[n] {
			t.Errorf("scenario L%d is not documented", n)
		}
	}
}
