package bq

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestServicesDocumentIsTrue checks that the scenarios in docs/services.md are in order and that their tests exist.
func TestServicesDocumentIsTrue(t *testing.T) {
	document, err := os.ReadFile("../docs/services.md")
	if err != nil {
		t.Fatal(err)
	}
	tests, _, _ := testsAndRules(t)
	last := 0
	row := regexp.MustCompile(`(?m)^\| FS([0-9]+) \| [^|]+ \| ([^|]+) \|$`)
	for _, m := range row.FindAllStringSubmatch(string(document), -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n <= last {
			t.Errorf("scenario FS%s comes after FS%d", m[1], last)
		}
		last = n
		for _, name := range strings.Split(m[2], ", ") {
			if !tests[name] {
				t.Errorf("scenario FS%d is said to be tested by %s, which does not exist", n, name)
			}
		}
	}
	if last == 0 {
		t.Error("docs/services.md has no scenarios")
	}
}
