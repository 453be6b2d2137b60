package source_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// YAML libraries differ in what they accept, so one file decides for the whole module.
func TestYAMLIsImportedInOneFile(t *testing.T) {
	root := "../../.."
	var importing []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil // not Go that is built
		}
		for _, spec := range file.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && strings.Contains(name, "yaml") {
				importing = append(importing, filepath.ToSlash(path))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"../../../schema/internal/source/yaml.go"}, importing); diff != "" {
		t.Errorf("files that import YAML (-want +got):\n%s", diff)
	}
}
