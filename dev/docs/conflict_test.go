package docs

import (
	"regexp"
	"testing"
)

// TestNoConflictIsLeft finds the markers of a merge that was committed unresolved: Markdown shows them as text.
func TestNoConflictIsLeft(t *testing.T) {
	marker := regexp.MustCompile(`^(<{7}|={7}|>{7})( |$)`)
	for _, d := range documents(t) {
		for i, line := range d.lines {
			if marker.MatchString(line) {
				t.Errorf("%s:%d: %s", d.name, i+1, line)
			}
		}
	}
}
