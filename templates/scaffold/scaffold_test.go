package scaffold

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

func TestTheCatalogHasNoFindings(t *testing.T) {
	if _, findings := load.Parse(CatalogFile, []byte(catalog)); len(findings) > 0 {
		t.Errorf("findings: %v", findings)
	}
}

// An editor finds the schema by the first line of the catalog.
func TestTheCatalogRefersToItsSchema(t *testing.T) {
	files, err := Files(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(files[CatalogFile]), "\n")
	name, ok := strings.CutPrefix(first, "# yaml-language-server: $schema=")
	if !ok || string(files[name]) != schema.CatalogSchema {
		t.Errorf("the first line %q refers to no schema of catalogs", first)
	}
}

func TestTheGoFileBelongsToThePackageOfTheFolder(t *testing.T) {
	tests := []struct {
		name, folder string
		files        map[string]string
		want         string
	}{
		{"an empty folder", "shop", nil, "shop"},
		{"a folder whose name is not an identifier", "2-Shop.Events_v2", nil, "shopeventsv2"},
		{"a folder whose name has no letters", "--", nil, "events"},
		{"a folder named like a keyword", "func", nil, "events"},
		{"a folder named like a program", "main", nil, "events"},
		{"the package that exists", "shop", map[string]string{"a.go": "package other\n"}, "other"},
		{"a program", "shop", map[string]string{"main.go": "package main\n"}, "main"},
		{"not that of ignored files", "shop", map[string]string{
			"a.go": "package other\n", "tool.go": "//go:build ignore\n\npackage main\n",
		}, "other"},
		{"not that of external tests", "shop", map[string]string{
			"a.go": "package other\n", "a_test.go": "package other_test\n",
		}, "other"},
		{"a folder that does not exist yet", "no/such/shop", nil, "shop"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), tt.folder)
			for name, text := range tt.files {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			files, err := Files(dir)
			if err != nil {
				t.Fatal(err)
			}
			if got, _, _ := strings.Cut(string(files[GoFile]), "\n"); got != "package "+tt.want {
				t.Errorf("got %s, want package %s", got, tt.want)
			}
			if formatted, err := format.Source(files[GoFile]); err != nil || string(formatted) != string(files[GoFile]) {
				t.Errorf("not formatted, or no Go: %v", err)
			}
		})
	}
}
