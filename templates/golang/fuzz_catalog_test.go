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

// FuzzCatalog takes any text for the decisions of a maker, so that nearly every input is a catalog that loads. The
// first byte picks what is tried, which keeps an input quick: its layout means the same and it breaks nothing compared
// with itself, its code compiles, or all documents can be made.
func FuzzCatalog(f *testing.F) {
	for seed := range 45 {
		f.Add(append([]byte{byte(seed)}, randomDecisions(seed, 20+4*seed)...))
	}
	checker := newChecker(f)
	f.Fuzz(func(t *testing.T, decisions []byte) {
		if len(decisions) == 0 || len(decisions) > 250 {
			return
		}
		text := (&maker{decisions: decisions[1:]}).catalog()
		c, findings := load.Parse("urns.yaml", []byte(text))
		checkFindings(t, findings)
		switch tried := decisions[0] % 3; {
		case tried == 0:
			checkLayout(t, text, c)
		case c == nil:
		case tried == 1:
			checkCode(t, checker, text, c)
		default:
			checkDocuments(t, text, c)
		}
	})
}

// randomDecisions are the same for the same seed.
func randomDecisions(seed, n int) []byte {
	decisions := make([]byte, n)
	state := uint32(seed)*2654435761 + 1
	for i := range decisions {
		state = state*1664525 + 1013904223
		decisions[i] = byte(state >> 24)
	}
	return decisions
}

func checkCode(t *testing.T, checker *checker, text string, c *schema.Catalog) {
	t.Helper()
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
}

func checkDocuments(t *testing.T, text string, c *schema.Catalog) {
	t.Helper()
	checkFindings(t, lint.Check(c, lint.Options{Today: time.Unix(0, 0)}))
	if _, err := jsonschema.Generate(c); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if _, err := asyncapi.Generate(c, "asyncapi.yaml", asyncapi.Options{Version: "1"}); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for format := range docs.Formats {
		if _, err := docs.Generate(c, docs.Format(format)); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
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
	for _, pair := range [][2]*schema.Catalog{{c, c}, {c, formatted}, {formatted, c}} {
		if changes := compat.Compare(pair[0], pair[1], compat.Options{}); len(changes) != 0 {
			t.Fatalf("compared with itself: %s\n%s\n%s", changes[0].Message, text, out)
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
		text := (&maker{decisions: randomDecisions(seed, 200)}).catalog()
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
