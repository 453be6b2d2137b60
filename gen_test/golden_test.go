// Package gentest checks what bqgen generates: catalogs in, code or findings out, and the code compiled and used.
package gentest

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
	"github.com/babelqueue/bqgen/templates/gonames"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// findingsFile contains the findings of a case whose catalog is refused. Such a case has no code.
const findingsFile = "diagnostics.txt"

// TestGolden compares what is generated from each catalog in testdata with the golden files.
func TestGolden(t *testing.T) {
	for _, name := range cases(t) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("testdata", name)
			got := generate(t, dir)
			want := readWant(t, dir)
			switch {
			case len(want) == 0 && *update:
				writeWant(t, dir, got)
				t.Errorf("a new case: read its golden files and run again")
			case len(want) == 0:
				t.Fatalf("a case without golden files: run with -update and read them")
			case *update:
				writeWant(t, dir, got)
			default:
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("generated from %s (-want +got):\n%s", dir, diff)
				}
			}
		})
	}
}

// cases are the folders of testdata that contain a catalog.
func cases(t *testing.T) []string {
	t.Helper()
	catalogs, err := filepath.Glob("testdata/*/urns.yaml")
	if err != nil || len(catalogs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for i, c := range catalogs {
		catalogs[i] = filepath.Base(filepath.Dir(c))
	}
	return catalogs
}

// generate returns the golden files of a case as they should be: the code and the findings.
func generate(t *testing.T, dir string) map[string]string {
	t.Helper()
	c, findings := parse(t, dir)
	var files map[string][]byte
	if !findings.HasErrors() {
		var more schema.Diagnostics
		var err error
		if files, more, err = golang.Generate(c, golang.Options{}); err != nil {
			t.Fatal(err)
		}
		findings = findings.Merge(more)
	}
	if findings.HasErrors() {
		var text strings.Builder
		for _, d := range findings {
			text.WriteString(d.String() + "\n")
			if d.Hint != "" {
				text.WriteString("    hint: " + d.Hint + "\n")
			}
		}
		return map[string]string{findingsFile: text.String()}
	}
	got := map[string]string{}
	for name, text := range files {
		got["want/"+name] = string(text)
	}
	return got
}

func parse(t *testing.T, dir string) (*schema.Catalog, schema.Diagnostics) {
	t.Helper()
	c, findings, err := load.LoadFS(os.DirFS(dir), "urns.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return c, findings
}

// readWant returns the golden files of a case. Everything in want/ is one, so that superfluous files are found.
func readWant(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "want", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, findingsFile)); err == nil {
		paths = append(paths, filepath.Join(dir, findingsFile))
	}
	want := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		want[filepath.ToSlash(name)] = string(text)
	}
	return want
}

func writeWant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for _, old := range []string{"want", findingsFile} {
		if err := os.RemoveAll(filepath.Join(dir, old)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTwentyRunsGiveTheSameBytes(t *testing.T) {
	testenv.SkipUnderRace(t, "it makes 20 runs slow")
	for _, c := range append(parsedCases(t), manyURNs(t, 40)) {
		first, _, err := golang.Generate(c, golang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 19 {
			again, _, err := golang.Generate(c, golang.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !maps.EqualFunc(first, again, bytes.Equal) {
				t.Fatalf("package %s (-first +again):\n%s", c.Package, cmp.Diff(first, again))
			}
		}
	}
}

// manyURNs is a catalog of URNs with a common prefix.
func manyURNs(t *testing.T, count int) *schema.Catalog {
	t.Helper()
	var b strings.Builder
	b.WriteString("bqgen: 1\npackage: many\nqueues: {orders: {}}\n" +
		"types:\n  Money: {type: object, properties: {amount: {type: string}}}\nurns:\n")
	for i := range count {
		fmt.Fprintf(&b, "  urn:babel:orders:created.again-%d:\n    queue: orders\n", i)
		b.WriteString("    data: {type: object, required: [id], properties: {id: {type: integer}, " +
			"total: {$ref: '#/types/Money'}, state: {type: string, enum: [a, b]}}}\n")
	}
	c, findings := load.Parse("urns.yaml", []byte(b.String()))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return c
}

func parsedCases(t *testing.T) []*schema.Catalog {
	t.Helper()
	var all []*schema.Catalog
	for _, name := range cases(t) {
		if c, findings := parse(t, filepath.Join("testdata", name)); !findings.HasErrors() {
			all = append(all, c)
		}
	}
	return all
}

func TestDeletingAURNDeletesItsFileAndChangesNoOther(t *testing.T) {
	for _, c := range parsedCases(t) {
		all, findings, err := golang.Generate(c, golang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(findings) > 0 {
			continue
		}
		names, _ := gonames.Of(c)
		urns := c.URNs
		for i, gone := range urns {
			if slices.ContainsFunc(urns, func(u *schema.URN) bool { return u.Deprecated != nil && u.Deprecated.Use == gone }) {
				continue // its successor is missing then, and the catalog is refused
			}
			c.URNs = slices.Delete(slices.Clone(urns), i, i+1)
			putBack := withoutInServices(c, gone)
			rest, _, err := golang.Generate(c, golang.Options{})
			if err != nil {
				t.Fatal(err)
			}
			putBack()
			var missing []string
			for _, file := range slices.Sorted(maps.Keys(all)) {
				text, ok := rest[file]
				switch {
				case !ok:
					missing = append(missing, file)
				case file != "catalog.bq.go" && !bytes.Equal(text, all[file]):
					t.Errorf("without %s, %s changes", gone.URN, file)
				}
			}
			n := names.Messages[gone]
			if want := []string{n.File, n.CodecFile}; !slices.Equal(missing, want) {
				t.Errorf("without %s, the files %q are gone, want %q", gone.URN, missing, want)
			}
		}
		c.URNs = urns
	}
}

// withoutInServices takes a URN from the services of the catalog. What it returns gives it back.
func withoutInServices(c *schema.Catalog, gone *schema.URN) (putBack func()) {
	var undo []func()
	for _, q := range c.Queues {
		for _, service := range q.Services {
			all := service.URNs
			undo = append(undo, func() { service.URNs = all })
			service.URNs = slices.DeleteFunc(slices.Clone(all), func(u *schema.URN) bool { return u == gone })
		}
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}
