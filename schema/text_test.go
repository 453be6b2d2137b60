package schema

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// check parses a catalog and compares its findings with the lines wanted.
func check(t *testing.T, src string, want ...string) {
	t.Helper()
	c, findings := Parse("urns.yaml", []byte(src))
	if (c == nil) != (len(findings) > 0) {
		t.Fatalf("catalog %v with %d findings", c != nil, len(findings))
	}
	got := strings.Split(strings.TrimSuffix(textOf(t, findings), "\n"), "\n")
	if len(findings) == 0 {
		got = nil
	}
	diffLines(t, want, got)
}

func TestBlankIsTheClosedASCIISetOfENV8(t *testing.T) {
	for _, s := range []string{"", " ", "\t\n\v\f\r "} {
		if !isBlank(s) {
			t.Errorf("%q is not blank", s)
		}
	}
	for _, s := range []string{"\u00a0", "\u0085", "\ufeff", "\u2003", "\u3000", "\x1c", "\x1f", "x"} {
		if isBlank(s) || isPadded(s) {
			t.Errorf("%q is blank", s)
		}
		if !isPadded(s+" ") || !isPadded("\v"+s) {
			t.Errorf("%q with blanks around it is not padded", s)
		}
	}
}

func TestQuoteKeepsTextShortAndOnItsLine(t *testing.T) {
	long := strings.Repeat("é", 100)
	for in, want := range map[string]string{
		"a":                        `"a"`,
		"a\nb\x1b[0m\u202e\u2028":  `"a\nb\x1b[0m\u202e\u2028"`,
		long:                       `"` + strings.Repeat("é", 80) + `..."`,
		strings.Repeat("x", 80):    `"` + strings.Repeat("x", 80) + `"`,
		"invalid \xff":             `"invalid \xff"`,
		strings.Repeat("\xff", 81): `"` + strings.Repeat(`\xff`, 80) + `..."`,
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
	if !utf8.ValidString(cut(long)) {
		t.Error("cut splits characters")
	}
}
