package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	architecture = "docs/architecture.md"
	module       = "github.com/babelqueue/bqgen"
)

// A goFile is a Go file of the module with its imports.
type goFile struct {
	name      string // relative to the root, with slashes
	test      bool
	generated bool
	imports   []string // as written: the module's own packages with their full path
}

func (f goFile) folder() string { return path.Dir(f.name) }

// goFiles returns the Go files of the module, for every operating system, and generated ones that are test data too.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var all []goFile
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			if name != root && (strings.HasPrefix(d.Name(), ".") || err == nil) {
				return fs.SkipDir // hidden, or a module of its own
			}
			return nil
		case filepath.Ext(name) != ".go":
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file := goFile{
			name:      filepath.ToSlash(relative),
			test:      strings.HasSuffix(name, "_test.go"),
			generated: ast.IsGenerated(syntax),
		}
		if !file.generated && strings.Contains(file.name, "/testdata/") {
			return nil
		}
		for _, spec := range syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			file.imports = append(file.imports, imported)
		}
		all = append(all, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// matches reports whether a pattern, such as schema or schema/..., includes a path.
func matches(pattern, name string) bool {
	below, found := strings.CutSuffix(pattern, "/...")
	return name == below || found && strings.HasPrefix(name, below+"/")
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
}

// generatedCode stands in the table of folders for the code that bqgen generates, wherever that is.
const generatedCode = "generated code"

// rowOf returns the row of the table of folders that is most specific for a file.
func rowOf(rows []row, f goFile) (row, bool) {
	var best row
	length := -1
	for _, r := range rows {
		if r.cells[0] == generatedCode {
			if f.generated {
				return r, true
			}
			continue
		}
		for _, pattern := range spans(r.cells[0]) {
			if matches(pattern, f.folder()) && len(pattern) > length {
				best, length = r, len(pattern)
			}
		}
	}
	return best, length >= 0
}

// TestFoldersAndImports checks the first table of docs/architecture.md: every folder with Go code has a row, every row
// has a folder, and a folder imports only what its row allows. Tests may import more.
func TestFoldersAndImports(t *testing.T) {
	rows := readDocument(t, architecture).table(t, "folder")
	used := map[int]bool{}
	for _, f := range goFiles(t) {
		r, ok := rowOf(rows, f)
		if !ok {
			t.Errorf("%s: the folder %s is not in the table of %s", f.name, f.folder(), architecture)
			continue
		}
		used[r.line] = true
		if f.test {
			continue
		}
		for _, imported := range f.imports {
			own, ok := strings.CutPrefix(imported, module+"/")
			if ok && own != f.folder() && !matchesAny(spans(r.cells[2]), own) {
				t.Errorf("%s imports %s, which line %d of %s does not allow", f.name, own, r.line, architecture)
			}
		}
	}
	for _, r := range rows {
		if !used[r.line] && !exists(t, r.cells[0]) {
			t.Errorf("%s:%d: there is no folder %s", architecture, r.line, r.cells[0])
		}
	}
}

// exists reports whether a row of the table names a folder without Go code that exists.
func exists(t *testing.T, cell string) bool {
	t.Helper()
	for _, name := range spans(cell) {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// TestEveryTopFolderIsDocumented also finds folders without Go code.
func TestEveryTopFolderIsDocumented(t *testing.T) {
	rows := readDocument(t, architecture).table(t, "folder")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "bin" {
			continue
		}
		if !slices.ContainsFunc(rows, func(r row) bool {
			return slices.ContainsFunc(spans(r.cells[0]), func(pattern string) bool {
				top, _, _ := strings.Cut(pattern, "/")
				return top == entry.Name()
			})
		}) {
			t.Errorf("the folder %s is not in the table of %s", entry.Name(), architecture)
		}
	}
}

// TestLibraries checks the second table of docs/architecture.md: code other than tests imports a library only where a
// row allows it, and each row is used.
func TestLibraries(t *testing.T) {
	rows := readDocument(t, architecture).table(t, "library")
	used := map[int]bool{}
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		for _, imported := range f.imports {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") || matches(module+"/...", imported) {
				continue // the standard library, or this module
			}
			r, ok := libraryRow(rows, imported)
			if !ok {
				t.Errorf("%s imports %s, which is not in the table of %s", f.name, imported, architecture)
				continue
			}
			used[r.line] = true
			patterns := spans(r.cells[1])
			generated := f.generated && strings.Contains(r.cells[1], generatedCode)
			if !generated && !matchesAny(patterns, f.name) && !matchesAny(patterns, f.folder()) {
				t.Errorf("%s imports %s, which line %d of %s does not allow", f.name, imported, r.line, architecture)
			}
		}
	}
	for _, r := range rows {
		if !used[r.line] {
			t.Errorf("%s:%d: nothing imports %s", architecture, r.line, r.cells[0])
		}
	}
}

func libraryRow(rows []row, imported string) (row, bool) {
	for _, r := range rows {
		if matchesAny(spans(r.cells[0]), imported) {
			return r, true
		}
	}
	return row{}, false
}

// TestPureFiles checks the table of pure files: they exist, and import neither Pulsar nor files, network or randomness.
func TestPureFiles(t *testing.T) {
	impure := []string{"github.com/apache/pulsar-client-go/...", "os/...", "net/...", "math/rand/...", "sync/..."}
	files := goFiles(t)
	for _, r := range readDocument(t, architecture).table(t, "pure file") {
		for _, name := range spans(r.cells[0]) {
			i := slices.IndexFunc(files, func(f goFile) bool { return f.name == name })
			if i < 0 {
				t.Errorf("%s:%d: there is no file %s", architecture, r.line, name)
				continue
			}
			for _, imported := range files[i].imports {
				if matchesAny(impure, imported) {
					t.Errorf("%s imports %s, but %s calls it pure", name, imported, architecture)
				}
			}
		}
	}
}
