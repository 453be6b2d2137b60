package docs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/fileset"
)

// Two catalogs are often called urns.yaml, so it is the package that tells them apart.
func TestPagesOfAnotherCatalogAreNotReplaced(t *testing.T) {
	const catalog = "bqgen: 1\npackage: PACKAGE\nqueues: {q: {}}\nurns: {'urn:babel:PACKAGE:done': {queue: q, " +
		"publishers: [a], data: {type: object}}}\n"
	of := func(pkg string, f Format) map[string][]byte {
		return generate(t, parse(t, strings.ReplaceAll(catalog, "PACKAGE", pkg)), f)
	}
	for i, format := range Formats {
		f := Format(i)
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := f.Kind().Write(dir, of("shop", f)); err != nil {
				t.Fatal(err)
			}
			_, err := f.Kind().Write(dir, of("billing", f))
			if !errors.Is(err, fileset.ErrInTheWay) || !strings.Contains(err.Error(), `from "urns.yaml, package shop"`) {
				t.Errorf("error %v", err)
			}
			for name, want := range of("shop", f) {
				if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != string(want) {
					t.Errorf("%s was replaced (%v)", name, err)
				}
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(of("shop", f)) {
				t.Errorf("%d files, %v", len(entries), err)
			}
			if changes, err := f.Kind().Write(dir, of("shop", f)); err != nil || len(changes) > 0 {
				t.Errorf("the catalog's own pages changed: %v, %v", changes, err)
			}
		})
	}
}
