package golang

import (
	"bytes"
	"fmt"
	"go/ast"
	goformat "go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// format groups the imports the way goimports does, standard library first, and applies gofmt. jennifer sorts all
// imports into one block.
func format(source []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.ImportsOnly)
	if err != nil {
		return nil, fmt.Errorf("parse imports: %w", err)
	}
	for _, d := range file.Decls {
		block := d.(*ast.GenDecl)
		start, end := fset.Position(block.Pos()).Offset, fset.Position(block.End()).Offset
		source = slices.Concat(source[:start], importBlock(block), source[end:])
		break // jennifer writes one
	}
	out, err := goformat.Source(source)
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	return out, nil
}

func importBlock(block *ast.GenDecl) []byte {
	var standard, others []string
	for _, s := range block.Specs {
		spec := s.(*ast.ImportSpec)
		line := spec.Path.Value
		if spec.Name != nil {
			line = spec.Name.Name + " " + line
		}
		if strings.Contains(strings.SplitN(spec.Path.Value, "/", 2)[0], ".") {
			others = append(others, line)
		} else {
			standard = append(standard, line)
		}
	}
	if len(block.Specs) == 1 {
		return []byte("import " + strings.Join(append(standard, others...), ""))
	}
	var b bytes.Buffer
	b.WriteString("import (\n")
	for i, group := range [][]string{standard, others} {
		if i > 0 && len(standard) > 0 {
			b.WriteByte('\n')
		}
		for _, line := range group {
			b.WriteString(line + "\n")
		}
	}
	b.WriteString(")")
	return b.Bytes()
}
