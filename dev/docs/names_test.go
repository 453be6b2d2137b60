package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documented are the packages whose names documents mention, by the name of the package.
var documented = map[string]string{
	"bq":       "runtime",
	"bqtest":   "runtime/bqtest",
	"envelope": "runtime/envelope",
	"payload":  "runtime/payload",
}

var qualifiedName = regexp.MustCompile(`\b(bq|bqtest|envelope|payload)\.([A-Z]\w*)`)

// TestNamesInDocumentsExist checks names such as bq.WithConcurrency in running text, which no compiler sees. The
// changelog may mention names that are gone.
func TestNamesInDocumentsExist(t *testing.T) {
	exported := map[string]map[string]bool{}
	for name, folder := range documented {
		exported[name] = exportedNames(t, folder)
	}
	for _, d := range documents(t) {
		if d.name == "CHANGELOG.md" {
			continue
		}
		for i, line := range d.lines {
			for _, m := range qualifiedName.FindAllStringSubmatch(line, -1) {
				if !exported[m[1]][m[2]] {
					t.Errorf("%s:%d: there is no %s", d.name, i+1, m[0])
				}
			}
		}
	}
}

// TestEveryOptionIsInTheOverview checks that a user who reads the documentation of package bq from the top meets every
// option.
func TestEveryOptionIsInTheOverview(t *testing.T) {
	overview, err := os.ReadFile(filepath.Join(root, "runtime", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range exportedNames(t, "runtime") {
		if strings.HasPrefix(name, "With") && !strings.Contains(string(overview), "["+name+"]") {
			t.Errorf("runtime/doc.go does not mention %s", name)
		}
	}
}

// exportedNames returns the exported names that a package declares, apart from methods and fields.
func exportedNames(t *testing.T, folder string) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			for _, name := range declaredNames(d) {
				if name.IsExported() {
					names[name.Name] = true
				}
			}
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s declares no exported names", folder)
	}
	return names
}

// declaredNames returns the names that a declaration adds to its package.
func declaredNames(d ast.Decl) []*ast.Ident {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var names []*ast.Ident
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name)
			case *ast.ValueSpec:
				names = append(names, spec.Names...)
			}
		}
		return names
	}
	return nil
}
