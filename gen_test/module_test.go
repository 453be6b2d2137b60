package gentest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
)

// TestAUserBuildsVetsAndRunsTheGoldenCode puts all golden code into a separate module that requires this one, as a
// user's module does, and runs there what users and their CI run. It needs only this module's dependencies in the
// module cache.
func TestAUserBuildsVetsAndRunsTheGoldenCode(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	module := newUserModule(t, root)
	module.addGoldenCode(t)
	staticcheck := filepath.Join(t.TempDir(), "staticcheck")
	goIn(t, root, "build", "-o", staticcheck, "honnef.co/go/tools/cmd/staticcheck")

	goIn(t, module.dir, "generate", "./...")
	module.compareWithGolden(t)
	goIn(t, module.dir, "build", "./...")
	goIn(t, module.dir, "vet", "./...")
	runIn(t, module.dir, staticcheck, "./...")
	runIn(t, module.dir, filepath.Join(goroot(t), "bin", "gofmt"), "-l", "golden", "orderevents")
	goIn(t, module.dir, "test", "./...")
}

type userModule struct{ dir string }

// newUserModule copies the template module and makes it use this repository.
func newUserModule(t *testing.T, root string) userModule {
	t.Helper()
	m := userModule{dir: t.TempDir()}
	if err := os.CopyFS(m.dir, os.DirFS("testdata/usermodule")); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, filepath.Join(m.dir, "go.mod"))
	text = strings.Replace(text, "=> ../..", "=> "+root, 1)
	m.write(t, "go.mod", text+toolAndRequirements(t, root))
	m.write(t, "go.sum", readFile(t, filepath.Join(root, "go.sum")))
	m.write(t, "urns.yaml", readFile(t, "testdata/shop/urns.yaml"))
	return m
}

// toolAndRequirements returns what go get -tool adds to a user's go.mod. The command itself would use the network.
func toolAndRequirements(t *testing.T, root string) string {
	t.Helper()
	text := "\ntool github.com/babelqueue/bqgen/cmd/bqgen\n"
	for _, block := range requirements.FindAllString(readFile(t, filepath.Join(root, "go.mod")), -1) {
		text += "\n" + block
	}
	return text
}

var requirements = regexp.MustCompile(`(?ms)^require \(\n.*?^\)\n`)

func (m userModule) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// addGoldenCode adds the code of each case, with a test of its documents.
func (m userModule) addGoldenCode(t *testing.T) {
	t.Helper()
	for _, name := range cases(t) {
		c, findings := parse(t, filepath.Join("testdata", name))
		files := readWant(t, filepath.Join("testdata", name))
		if findings.HasErrors() || files[findingsFile] != "" {
			continue
		}
		for file, text := range files {
			m.write(t, "golden/"+name+"/"+strings.TrimPrefix(file, "want/"), text)
		}
		if len(c.URNs) > 0 {
			// In one package, so that one test program is linked, not one per case.
			m.write(t, "documents_"+name+"_test.go", documentsTest(name, c, files["want/catalog.bq.go"]))
		}
	}
}

// compareWithGolden checks that the command writes the same code as the golden files.
func (m userModule) compareWithGolden(t *testing.T) {
	t.Helper()
	want := readWant(t, "testdata/shop")
	got := map[string]string{}
	entries, err := os.ReadDir(filepath.Join(m.dir, "orderevents"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got["want/"+e.Name()] = readFile(t, filepath.Join(m.dir, "orderevents", e.Name()))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("go generate (-golden +generated):\n%s", diff)
	}
}

var urnConstant = regexp.MustCompile(`(?m)^\t(\S+)URN\s+= (".*")$`)

// documentsTest returns a test file for the code of a case: documents that must round-trip, and documents that must be
// rejected.
func documentsTest(name string, c *schema.Catalog, catalogFile string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package shop\n\nimport (\n\t\"testing\"\n\n\t\"example.com/shop/check\"\n"+
		"\tgolden \"example.com/shop/golden/%s\"\n)\n", name)
	types := urnConstant.FindAllStringSubmatch(catalogFile, -1)
	fmt.Fprintf(&b, "\nfunc TestDocumentsRoundTrip_%s(t *testing.T) {\n", name)
	for i, u := range c.URNs {
		fmt.Fprintf(&b, "\tcheck.RoundTrip[golden.%s](t,\n", types[i][1])
		for _, document := range documents(u) {
			fmt.Fprintf(&b, "\t\t%+q,\n", document)
		}
		b.WriteString("\t)\n")
	}
	fmt.Fprintf(&b, "}\n\nfunc TestBrokenDocumentsAreRefused_%s(t *testing.T) {\n", name)
	for i, u := range c.URNs {
		for _, d := range brokenDocuments(u) {
			fmt.Fprintf(&b, "\tcheck.Broken[golden.%s](t, %+q, %+q, %q)\n", types[i][1], d.text, d.pointer, d.rule)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func goIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	runIn(t, dir, "go", args...)
}

// maxCommand is how long a command may take on a busy machine, also with the code of all real schemas.
const maxCommand = 2 * time.Hour

// talks are the commands that print something on success.
var talks = map[string]bool{"get": true, "test": true}

// downloads matches what the go command says when the module cache does not have a module yet.
var downloads = regexp.MustCompile(`(?m)^go: downloading .*\n`)

// runIn runs a command that must succeed and print nothing.
func runIn(t *testing.T, dir, command string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), maxCommand)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOTOOLCHAIN=local")
	start := time.Now()
	out, err := cmd.CombinedOutput()
	out = downloads.ReplaceAll(out, nil)
	what := filepath.Base(command) + " " + strings.Join(args, " ")
	t.Logf("%s: %v", what, time.Since(start).Round(time.Millisecond))
	if err != nil || len(out) > 0 && !talks[args[0]] {
		t.Fatalf("%s: %v\n%s", what, err, out)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
