package golang_test

import (
	"strings"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/catfmt"
	"github.com/babelqueue/bqgen/schema/compat"
	"github.com/babelqueue/bqgen/schema/lint"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/asyncapi"
	"github.com/babelqueue/bqgen/templates/docs"
	"github.com/babelqueue/bqgen/templates/golang"
	"github.com/babelqueue/bqgen/templates/jsonschema"
)

// FuzzCatalog takes any text for the decisions of a maker, so that nearly every input is a catalog that loads: its code
// compiles, its layout means the same, all documents can be made, and it breaks nothing compared with itself.
func FuzzCatalog(f *testing.F) {
	f.Add([]byte{})
	for seed := range 40 {
		decisions := make([]byte, 20+5*seed)
		for i := range decisions {
			decisions[i] = byte((i*i*(seed+3) + i*7 + seed*13) >> 1)
		}
		f.Add(decisions)
	}
	checker := newChecker(f)
	f.Fuzz(func(t *testing.T, decisions []byte) {
		if len(decisions) > 500 {
			return
		}
		text := (&maker{decisions: decisions}).catalog()
		c, findings := load.Parse("urns.yaml", []byte(text))
		checkFindings(t, findings)
		checkLayout(t, text, c)
		if c == nil {
			return
		}
		checkFindings(t, lint.Check(c, lint.Options{Today: time.Unix(0, 0)}))
		if changes := compat.Compare(c, c, compat.Options{}); len(changes) != 0 {
			t.Fatalf("compared with itself: %s\n%s", changes[0].Message, text)
		}
		if _, err := jsonschema.Generate(c); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if _, err := asyncapi.Generate(c, "asyncapi.yaml", asyncapi.Options{Version: "1"}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		files, findings, err := golang.Generate(c, golang.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if checkFindings(t, findings); findings.HasErrors() {
			return // names that collide
		}
		if err := checker.check(files); err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, dump(files))
		}
		for format := range docs.Formats {
			if _, err := docs.Generate(c, docs.Format(format)); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	})
}

// checkLayout formats a catalog: twice is once, no comment is lost, and it means the same.
func checkLayout(t *testing.T, text string, c *schema.Catalog) {
	t.Helper()
	out, findings := catfmt.Format("urns.yaml", []byte(text))
	if out == nil {
		t.Fatalf("format: %v\n%s", findings, text)
	}
	again, findings := catfmt.Format("urns.yaml", out)
	if string(again) != string(out) {
		t.Fatalf("format: %v, not idempotent:\n%s\n%s", findings, out, again)
	}
	if before, after := comments(text), comments(string(out)); before != after {
		t.Fatalf("format: %d comments, %d after\n%s\n%s", before, after, text, out)
	}
	formatted, findings := load.Parse("urns.yaml", out)
	if (formatted == nil) != (c == nil) {
		t.Fatalf("format: %v\n%s\n%s", findings, text, out)
	}
	if c == nil {
		return
	}
	for _, pair := range [][2]*schema.Catalog{{c, formatted}, {formatted, c}} {
		if changes := compat.Compare(pair[0], pair[1], compat.Options{}); len(changes) != 0 {
			t.Fatalf("format: %s\n%s\n%s", changes[0].Message, text, out)
		}
	}
}

// comments counts the comments that a maker writes.
func comments(text string) int {
	n := 0
	for _, words := range []string{"# note", "# bqgen:ignore", "# above", "# and below", "# queue", "# type"} {
		n += strings.Count(text, words)
	}
	return n
}

// Inputs that load are the point of a maker.
func TestAMakerWritesCatalogs(t *testing.T) {
	loaded := 0
	const tries = 300
	for seed := range tries {
		decisions := make([]byte, 200)
		state := uint32(seed)*2654435761 + 1
		for i := range decisions {
			state = state*1664525 + 1013904223
			decisions[i] = byte(state >> 24)
		}
		text := (&maker{decisions: decisions}).catalog()
		c, findings := load.Parse("urns.yaml", []byte(text))
		if c != nil {
			loaded++
		} else {
			t.Logf("%v\n%s", findings[0], text)
		}
	}
	if loaded < tries*2/3 {
		t.Errorf("%d of %d load", loaded, tries)
	}
}
