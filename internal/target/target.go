package target

import (
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/golang"
)

// A Target is a catalog and the Go package that is generated from it.
type Target struct {
	Catalog string // path of the catalog
	Out     string // folder of the package; empty for one next to the catalog that is named like the package
	Package string // name of the package; empty for that of the catalog
}

// Code is the generated code of a catalog, in memory.
type Code struct {
	Dir   string            // where it belongs
	Files map[string][]byte // by base name
}

// Render generates the code of a catalog that was loaded from the target's path. There is none when one of the
// findings is an error.
func (t *Target) Render(c *schema.Catalog) (*Code, schema.Diagnostics, error) {
	o := golang.Options{Package: t.Package, Source: filepath.Base(t.Catalog)}
	files, findings, err := golang.Generate(c, o)
	for i, f := range findings {
		if f.End == (schema.Pos{}) {
			findings[i].End = c.End(f.Pos)
		}
	}
	if err != nil || findings.HasErrors() {
		return nil, findings, err
	}
	return &Code{Dir: t.dir(c), Files: files}, findings, nil
}

func (t *Target) dir(c *schema.Catalog) string {
	switch {
	case t.Out != "":
		return t.Out
	case t.Package != "":
		return filepath.Join(filepath.Dir(t.Catalog), t.Package)
	}
	return filepath.Join(filepath.Dir(t.Catalog), c.Package)
}

// Write brings the folder up to date.
func (c *Code) Write() error {
	_, err := fileset.Write(c.Dir, c.Files)
	return err
}

// Command is the command that brings the folder up to date.
func (t *Target) Command() string {
	args := []string{"bqgen generate --catalog", t.Catalog}
	if t.Out != "" {
		args = append(args, "--out", t.Out)
	}
	if t.Package != "" {
		args = append(args, "--package", t.Package)
	}
	return strings.Join(args, " ")
}
