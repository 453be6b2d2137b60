package golang

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"
)

// The emitter only writes the plan down. It cannot import what it would need to decide anything: the catalog, strings.
func TestTheEmitterDecidesNothing(t *testing.T) {
	files, err := filepath.Glob("emit*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		if name == "emit_test.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); path != "github.com/dave/jennifer/jen" {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}
