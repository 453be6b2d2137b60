package golang

import (
	"bytes"
	"fmt"
	"go/token"
	"path/filepath"

	"github.com/dave/jennifer/jen"

	"github.com/babelqueue/bqgen/schema"
)

// Options says what the catalog does not.
type Options struct {
	Package string // the Go package to generate; by default the one that the catalog names
	Source  string // the catalog's name in the files' headers; by default the base name of its file
}

// Generate returns the Go files for a catalog, by file name. It touches no disk. The same catalog gives the same
// bytes.
//
// The findings are about names that the catalog has to change; there are no files then. An error is a package name
// that Go cannot have, or a bug in bqgen.
func Generate(c *schema.Catalog, o Options) (map[string][]byte, schema.Diagnostics, error) {
	if o.Package == "" {
		o.Package = c.Package
	}
	if o.Source == "" {
		o.Source = filepath.Base(c.File)
	}
	if !token.IsIdentifier(o.Package) || o.Package == "_" || o.Package == "main" {
		return nil, nil, fmt.Errorf("generate: %q cannot be the name of an imported Go package", o.Package)
	}
	p, findings := plan(c, o.Package, o.Source)
	if len(findings) > 0 {
		return nil, findings, nil
	}
	files := map[string][]byte{}
	add := func(name, what string, f *jen.File) error {
		var raw bytes.Buffer
		if err := f.Render(&raw); err != nil {
			return fmt.Errorf("generate %s for %s: this is a bug in bqgen: render: %w", name, what, err)
		}
		text, err := format(raw.Bytes())
		if err != nil {
			return fmt.Errorf("generate %s for %s: this is a bug in bqgen: %w", name, what, err)
		}
		files[name] = text
		return nil
	}
	if err := add(catalogFile, "the catalog", emitCatalog(p)); err != nil {
		return nil, nil, err
	}
	if len(p.Types) > 0 {
		if err := add(typesFile, "the shared types", emitTypes(p)); err != nil {
			return nil, nil, err
		}
	}
	for _, m := range p.Messages {
		if err := add(m.File, quoted(m.URN), emitMessage(p, m)); err != nil {
			return nil, nil, err
		}
	}
	return files, nil, nil
}
