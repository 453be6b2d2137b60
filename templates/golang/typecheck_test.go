package golang_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// exports are the files with the export data of packages that generated code may import, by import path.
var exports = sync.OnceValues(func() (map[string]string, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}",
		"github.com/babelqueue/bqgen/runtime", "github.com/babelqueue/bqgen/runtime/payload/jsonvalue",
		"context", "strconv", "time", "math/big", "net/netip", "encoding/json")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return files, nil
})

// A checker type-checks generated packages against the real runtime.
type checker struct{ imports types.Importer }

func newChecker(t testing.TB) *checker {
	t.Helper()
	files, err := exports()
	if err != nil {
		t.Fatal(err)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	return &checker{imports: importer.ForCompiler(token.NewFileSet(), "gc", open)}
}

// check returns what is wrong with the files of one package for a reader, the go command or the compiler.
func (c *checker) check(files map[string][]byte) error {
	fset := token.NewFileSet()
	var parsed []*ast.File
	folded := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if err := checkName(name, text); err != nil {
			return err
		}
		if other, ok := folded[strings.ToLower(name)]; ok {
			return fmt.Errorf("files %s and %s differ in case only", name, other)
		}
		folded[strings.ToLower(name)] = name
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, f)
		if err := checkComments(fset, f); err != nil {
			return err
		}
		if err := checkImports(name, text); err != nil {
			return err
		}
		again, err := format.Source(text)
		if err != nil {
			return err
		}
		if !bytes.Equal(again, text) {
			return fmt.Errorf("%s is not formatted", name)
		}
	}
	config := types.Config{Importer: c.imports}
	_, err := config.Check("generated", fset, parsed, nil)
	return err
}

// checkName reports a file that the go command would ignore on some system, or whose name some file system forbids.
func checkName(name string, text []byte) error {
	for _, r := range name {
		if r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return fmt.Errorf("file name %q", name)
		}
	}
	if len(name) > 128 {
		return fmt.Errorf("file name of %d bytes", len(name))
	}
	for _, system := range []string{"linux/amd64", "windows/arm64", "wasip1/wasm"} {
		context := build.Default
		context.GOOS, context.GOARCH, _ = strings.Cut(system, "/")
		context.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
		if ok, err := context.MatchFile(".", name); err != nil || !ok {
			return fmt.Errorf("file %s is not built on %s: %v", name, system, err)
		}
	}
	return nil
}

// checkComments reports comments that mean more than their text.
func checkComments(fset *token.FileSet, f *ast.File) error {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Text != "//" && c.Text != "//sumtype:decl" && !strings.HasPrefix(c.Text, "// ") {
				return fmt.Errorf("%v: comment %q", fset.Position(c.Pos()), c.Text)
			}
			if constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text) {
				return fmt.Errorf("%v: build constraint %q", fset.Position(c.Pos()), c.Text)
			}
		}
	}
	return nil
}

// checkImports reports imports that goimports would move. The standard library comes first, in its own group.
func checkImports(name string, text []byte) error {
	_, block, _ := strings.Cut(string(text), "\nimport (\n")
	block, _, _ = strings.Cut(block, "\n)\n")
	if block == "" {
		return nil // none, or one
	}
	groups := strings.Split(block, "\n\n")
	for i, group := range groups {
		var paths []string
		for line := range strings.Lines(group) {
			path := line[strings.Index(line, `"`):]
			paths = append(paths, path)
			standard := !strings.Contains(path, ".")
			if standard != (i == 0 && len(groups) == 2) && len(groups) != 1 {
				return fmt.Errorf("%s imports %s in group %d of %d", name, path, i, len(groups))
			}
		}
		if len(groups) > 2 || !slices.IsSorted(paths) {
			return fmt.Errorf("%s has imports that are not in order:\n%s", name, block)
		}
	}
	return nil
}
