package schema

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParse holds what Parse promises for any bytes: no panic, a catalog or findings, findings that say
// something at a place in the file.
func FuzzParse(f *testing.F) {
	for _, folder := range []string{"findings", "good"} {
		for _, path := range catalogs(f, folder) {
			src, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	for _, src := range []string{"", "\ufeff", "a: [1, 2\nb: 3", "a: 'x\n", "&a [*a]", "<<: *x", "--- |\n", "? ? a", "\"\\ud800\"", "%TAG ! x\n---\n!a b", "a: !!str\n- b\r\rc"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, findings := Parse("urns.yaml", src)
		if (c == nil) != (len(findings) > 0) {
			t.Fatalf("catalog %v with %d findings", c != nil, len(findings))
		}
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(src)), "\n")
		for i, d := range findings {
			checkFinding(t, d, lines)
			if i > 0 && compareDiagnostics(findings[i-1], d) >= 0 {
				t.Errorf("not sorted, or twice: %v", d)
			}
		}
		if c != nil {
			dump(c) // walks all of it, through every reference
		}
	})
}

func checkFinding(t *testing.T, d Diagnostic, lines []string) {
	t.Helper()
	switch {
	case d.Pos.File != "urns.yaml", d.Pos.Line < 1, d.Pos.Line > len(lines):
		t.Errorf("no such line: %v", d)
	case d.Pos.Column < 1, d.Pos.Column > utf8.RuneCountInString(lines[d.Pos.Line-1])+1:
		t.Errorf("no such column: %v", d)
	}
	if d.Rule == "" || d.Message == "" {
		t.Errorf("says nothing: %v", d)
	}
	if text := d.Message + d.Hint; strings.ContainsAny(text, "\n\r\x1b\x00") || !utf8.ValidString(text) {
		t.Errorf("text of the catalog leaves its line: %q", text)
	}
}
