// Package scaffold contains the files that a project starts from: a catalog with comments, the JSON Schema with which
// editors check it, and a Go file with the go:generate line.
package scaffold

import (
	_ "embed"
	"fmt"
	"go/build"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

const (
	// CatalogFile is the name of the catalog.
	CatalogFile = "urns.yaml"
	// SchemaFile is the name of the JSON Schema of catalogs; the first line of the catalog refers to it.
	SchemaFile = "catalog.schema.json"
	// GoFile is the name of the file with the go:generate line.
	GoFile = "gen.go"
)

//go:embed urns.yaml
var catalog string

// goFile has a blank line before the comment, which is not a package comment.
const goFile = `package %s

// Package orderevents is generated from urns.yaml: run go generate after a change.
//
//go:generate go tool bqgen generate --catalog urns.yaml --out ./orderevents
`

// Files returns the files to start from in dir, by base name. The package of the Go file is that of the Go files in
// dir or, without any, named after dir.
func Files(dir string) (map[string][]byte, error) {
	name, err := packageOf(dir)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		CatalogFile: []byte(catalog),
		SchemaFile:  []byte(schema.CatalogSchema),
		GoFile:      fmt.Appendf(nil, goFile, name),
	}, nil
}

func packageOf(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if pkg, err := build.ImportDir(abs, 0); err == nil && pkg.Name != "" {
		return pkg.Name, nil
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, filepath.Base(abs))
	name = strings.TrimLeft(name, "0123456789")
	if name == "" || !token.IsIdentifier(name) || name == "main" || name == "init" || name == "documentation" {
		name = "events"
	}
	return name, nil
}
