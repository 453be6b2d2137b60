package load

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The stages in their order. Those of one line do not know each other.
var stages = [][]string{
	{"schema"},
	{"schema/internal/trust", "schema/internal/near", "schema/jsonschema"},
	{"schema/internal/source"},
	{"schema/internal/draft"},
	{"schema/internal/link", "schema/internal/merge"},
	{"schema/internal/judge"},
	{"schema/load"},
}

// No stage looks back: it imports those before it and none after it.
func TestStagesImportOnlyEarlierStages(t *testing.T) {
	rank := map[string]int{}
	for i, line := range stages {
		for _, stage := range line {
			rank[stage] = i
		}
	}
	for stage, own := range rank {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(stage), "*.go"))
		if err != nil || len(paths) == 0 {
			t.Errorf("%s has no files: %v", stage, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range file.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				imported, ok := strings.CutPrefix(name, "github.com/babelqueue/bqgen/")
				if !ok || !strings.HasPrefix(imported, "schema") {
					continue
				}
				if other, known := rank[imported]; !known || other >= own {
					t.Errorf("%s imports %s", filepath.ToSlash(path), imported)
				}
			}
		}
	}
}
