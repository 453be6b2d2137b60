package docs

import (
	"regexp"
	"strings"
	"testing"
)

var (
	changelogVersion = regexp.MustCompile(`^## \[(Unreleased|\d+\.\d+\.\d+)\](?: - \d{4}-\d\d-\d\d)?$`)
	changelogKind    = regexp.MustCompile(`^### (Added|Changed|Deprecated|Removed|Fixed|Security)$`)
)

// TestTheChangelogHasItsForm checks the headings of CHANGELOG.md: changes that are not released come first, and each
// version groups its changes by kind.
func TestTheChangelogHasItsForm(t *testing.T) {
	d := readDocument(t, "CHANGELOG.md")
	var versions []string
	kinds := map[string]bool{}
	for i, line := range d.lines {
		switch {
		case strings.HasPrefix(line, "## "):
			m := changelogVersion.FindStringSubmatch(line)
			if m == nil {
				t.Errorf("%s:%d: %q is not a version", d.name, i+1, line)
				continue
			}
			versions = append(versions, m[1])
			kinds = map[string]bool{}
		case strings.HasPrefix(line, "### "):
			if !changelogKind.MatchString(line) || kinds[line] {
				t.Errorf("%s:%d: %q is not a kind of change, or is repeated", d.name, i+1, line)
			}
			kinds[line] = true
		}
	}
	if len(versions) == 0 || versions[0] != "Unreleased" {
		t.Errorf("the versions are %q, want Unreleased first", versions)
	}
}
