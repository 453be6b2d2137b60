package flow

import (
	"regexp"
	"testing"
)

// FuzzGate compares with the rule as a regular expression (GATE-1, GATE-2, GATE-3).
func FuzzGate(f *testing.F) {
	for _, seed := range []string{"", "1", "2", " ", " 1", "1\n", "01", "\u00a0", "\ufeff1", "１"} {
		f.Add(seed)
	}
	open := regexp.MustCompile(`^(?:1|[ \t\n\v\f\r]*)$`)
	f.Fuzz(func(t *testing.T, version string) {
		want := !open.MatchString(version) || version == "1\n"
		if _, got := gated(map[string]string{"bq-schema-version": version}); got != want {
			t.Errorf("GATE-1: %q: gated is %v, want %v", version, got, want)
		}
	})
}
