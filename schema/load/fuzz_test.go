package load

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema"
	render "github.com/babelqueue/bqgen/schema/jsonschema"
)

// FuzzParse checks what Parse promises for any bytes: no panic; a catalog, or findings of which one is an error;
// findings with a message and a place in the file; and schemas that other validators accept.
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
	for _, entry := range allOfEntries {
		f.Add([]byte("bqgen: 1\npackage: shop\nqueues: {q: {}}\ntypes:" + allOfTypes +
			"urns:\n  urn:a:\n    queue: q\n    data: {type: object, properties: {p: " + entry + ", q: {allOf: [" + entry +
			", {$ref: '#/types/Base'}]}}}\n"))
	}
	for _, src := range []string{"", "\ufeff", "a: [1, 2\nb: 3", "a: 'x\n", "&a [*a]", "<<: *x", "--- |\n", "? ? a",
		"\"\\ud800\"", "%TAG ! x\n---\n!a b", "a: !!str\n- b\r\rc"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, findings := Parse("urns.yaml", src)
		if (c == nil) != findings.HasErrors() {
			t.Fatalf("catalog %v with findings %v", c != nil, findings)
		}
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(src)), "\n")
		for i, d := range findings {
			checkFinding(t, d, lines)
			if i > 0 && !slices.Equal(findings[i-1:i+1], schema.NewDiagnostics(d, findings[i-1])) {
				t.Errorf("not sorted, or twice: %v", d)
			}
		}
		if c != nil {
			dump(c) // walks all of it, through every reference
			checkRendered(t, c)
		}
	})
}

func checkFinding(t *testing.T, d schema.Diagnostic, lines []string) {
	t.Helper()
	switch {
	case d.Pos.File != "urns.yaml", d.Pos.Line < 1, d.Pos.Line > len(lines):
		t.Errorf("no such line: %v", d)
	case d.Pos.Column < 1, d.Pos.Column > utf8.RuneCountInString(lines[d.Pos.Line-1])+1:
		t.Errorf("no such column: %v", d)
	}
	if end := d.End; end != (schema.Pos{}) {
		switch {
		case end.File != d.Pos.File, end.Compare(d.Pos) <= 0, end.Line > len(lines):
			t.Errorf("no such end: %v to %v", d, end)
		case end.Column > utf8.RuneCountInString(lines[end.Line-1])+1:
			t.Errorf("no such column at the end: %v to %v", d, end)
		}
	}
	if d.Rule == "" || d.Message == "" {
		t.Errorf("says nothing: %v", d)
	}
	if text := d.Message + d.Hint; strings.ContainsAny(text, "\n\r\x1b\x00") || !utf8.ValidString(text) {
		t.Errorf("text of the catalog leaves its line: %q", text)
	}
}

// checkRendered has a library compile every payload schema of a catalog that is not too large for it, and hold the
// examples against it.
func checkRendered(t *testing.T, c *schema.Catalog) {
	t.Helper()
	for _, u := range c.URNs {
		text := render.Render(u.Data, render.Options{GoLimits: true})
		if len(text) > 1<<16 {
			continue
		}
		compiled, err := compileSchema(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", u.URN, err, text)
		}
		for _, e := range u.Examples {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(e.JSON))
			if err != nil {
				t.Fatalf("%s: example %s: %v", u.URN, e.JSON, err)
			}
			if err := compiled.Validate(value); err != nil {
				t.Errorf("%s: example %s: %v\n%s", u.URN, e.JSON, err, text)
			}
		}
	}
}

func TestExamplesOfGoodCatalogsAreValidToOthers(t *testing.T) {
	examples := 0
	for _, path := range append(catalogs(t, "good"), "../../examples/urns.yaml") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c, findings := Parse(path, src)
		if c == nil {
			t.Fatal(textOf(t, findings))
		}
		checkRendered(t, c)
		for _, u := range c.URNs {
			examples += len(u.Examples)
		}
	}
	if examples == 0 {
		t.Error("no examples")
	}
}
