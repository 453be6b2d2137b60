package golang_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
)

// FuzzGenerate takes any text as a catalog. The result must be findings, or code that compiles.
func FuzzGenerate(f *testing.F) {
	seeds, err := filepath.Glob("../../gen_test/testdata/*/urns.yaml")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, path := range seeds {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(text) < 2000 { // large seeds are slow to change
			f.Add(text)
		}
	}
	checker := newChecker(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		c, findings := load.Parse("urns.yaml", text)
		if checkFindings(t, findings); findings.HasErrors() {
			return
		}
		files, findings, err := golang.Generate(c, golang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if checkFindings(t, findings); findings.HasErrors() {
			return
		}
		if bytes.Contains(text, []byte("go-type")) || strings.Contains(dump(files), ".Marshaler(") {
			return // the user's types are not there
		}
		if err := checker.check(files); err != nil {
			t.Fatalf("%v\n%s", err, dump(files))
		}
	})
}

// checkFindings checks that findings have a position, a rule and a message.
func checkFindings(t *testing.T, findings schema.Diagnostics) {
	t.Helper()
	for _, f := range findings {
		if f.Pos.Line < 1 || f.Pos.Column < 1 || f.Rule == "" || f.Message == "" {
			t.Fatalf("finding %+v", f)
		}
	}
}
