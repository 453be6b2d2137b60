package docs

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSnippetsCompile compiles the Go code of the documents, in packages that exist only as an overlay.
func TestSnippetsCompile(t *testing.T) {
	o := newOverlay(t)
	for _, d := range documents(t) {
		var catalog catalogPackage
		for _, b := range d.blocks() {
			switch {
			case b.language == "yaml" && isCatalog.MatchString(b.text):
				catalog = o.generate(t, fmt.Sprintf("%s:%d", d.name, b.line), b)
			case b.language == "go":
				o.addSnippet(t, d, b, catalog)
			}
		}
	}
	if len(o.snippets) < 3 {
		t.Fatalf("only %d snippets were found", len(o.snippets))
	}
	o.build(t)
}

// isCatalog recognises a complete catalog.
var isCatalog = regexp.MustCompile(`(?m)^bqgen: 1\b`)

// A catalogPackage is the package generated from a catalog in a document.
type catalogPackage struct {
	name       string // as a snippet imports it
	importPath string
}

// An overlay is a set of packages below this one that the go command sees and the disk does not have.
type overlay struct {
	here     string            // this folder, absolute
	temp     string            // holds the contents
	replace  map[string]string // as in the file of go build -overlay
	snippets []string          // the import paths to check
}

func newOverlay(t *testing.T) *overlay {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return &overlay{here: here, temp: t.TempDir(), replace: map[string]string{}}
}

// generate generates the code of a catalog and adds its package. The catalog must have no findings.
func (o *overlay) generate(t *testing.T, where string, b block) catalogPackage {
	t.Helper()
	dir := filepath.Join(o.temp, fmt.Sprintf("catalog%d", len(o.replace)))
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(out, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "urns.yaml")
	if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := bqgen(t, "generate", "--catalog", file, "--out", out); strings.Contains(said, "warning") {
		t.Errorf("%s: the catalog has findings:\n%s", where, said)
	}
	files, err := filepath.Glob(filepath.Join(out, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no code was generated: %v", where, err)
	}
	name := packageName(t, files[0])
	folder := filepath.Base(dir) + "/" + name
	for _, file := range files {
		o.replace[filepath.Join(o.here, filepath.FromSlash(folder), filepath.Base(file))] = file
	}
	return catalogPackage{name, module + "/dev/docs/" + folder}
}

func packageName(t *testing.T, file string) string {
	t.Helper()
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	return syntax.Name.Name
}

// addSnippet adds a package with the snippet, completed by its setup. Its //line comment makes the compiler
// report positions in the document.
func (o *overlay) addSnippet(t *testing.T, d document, b block, catalog catalogPackage) {
	t.Helper()
	snippet := fmt.Sprintf("//line %s:%d\n%s", root+"/"+d.name, b.line, b.text)
	text := snippet
	switch {
	case b.setup != "":
		before, after, found := strings.Cut(b.setup, "...")
		if !found {
			t.Fatalf("%s:%d: the setup before the snippet has no ... where the snippet goes", d.name, b.line)
		}
		text = before + "\n" + snippet + after
	case onlyComments(b.text):
		text = "package snippet\n\n" + b.text
	}
	if catalog.name != "" {
		text = strings.Replace(text, `"`+catalog.name+`"`, `"`+catalog.importPath+`"`, 1)
	}
	name := fmt.Sprintf("snippet%d", len(o.snippets))
	file := filepath.Join(o.temp, name+".go")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), file, nil, 0); err != nil {
		t.Errorf("%s:%d: the snippet is neither a Go file nor made one by a setup: %v", d.name, b.line, err)
		return
	}
	o.replace[filepath.Join(o.here, name, "snippet.go")] = file
	o.snippets = append(o.snippets, module+"/dev/docs/"+name)
}

func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			return false
		}
	}
	return true
}

// build compiles the snippets.
func (o *overlay) build(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(o.temp, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", append([]string{"build", "-overlay", file}, o.snippets...)...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("go build: %v\n%s", err, out)
	}
}
