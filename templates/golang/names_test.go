package golang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
	"github.com/babelqueue/bqgen/templates/golang"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// Documentation takes its Go names from gonames; the generated code must declare them.
func TestNamesAreThoseOfTheGeneratedCode(t *testing.T) {
	for _, name := range []string{"shop", "inputs", "enums", "vocabulary"} {
		c, findings, err := load.LoadFS(os.DirFS("../../gen_test/testdata/"+name), "urns.yaml")
		if err != nil || findings.HasErrors() {
			t.Fatal(findings, err)
		}
		names, findings := gonames.Of(c)
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		files, findings, err := golang.Generate(c, golang.Options{})
		if err != nil || findings.HasErrors() {
			t.Fatal(findings, err)
		}
		declared := declarations(t, files)
		for _, m := range names.Messages {
			for _, file := range []string{m.File, m.CodecFile} {
				if files[file] == nil {
					t.Errorf("%s: there is no file %s", name, file)
				}
			}
		}
		for _, want := range everyName(names) {
			if !declared[want] {
				t.Errorf("%s: the generated code declares no %s", name, want)
			}
		}
	}
}

// declarations are the identifiers that files declare; those of fields and interface methods start with a dot.
func declarations(t *testing.T, files map[string][]byte) map[string]bool {
	t.Helper()
	declared := map[string]bool{}
	for name, text := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				declared[n.Name.Name] = true
			case *ast.FuncDecl:
				declared[n.Name.Name] = true
			case *ast.ValueSpec:
				declared[n.Names[0].Name] = true
			case *ast.Field:
				for _, id := range n.Names {
					declared["."+id.Name] = true
				}
			}
			return true
		})
	}
	return declared
}

func everyName(names *gonames.Names) []string {
	var all []string
	add := func(list ...string) {
		for _, name := range list {
			if name != "" && name != "." {
				all = append(all, name)
			}
		}
	}
	for _, m := range names.Messages {
		add(m.Type, m.Const, "."+m.Publisher, m.Publishes, m.Handler, "."+m.Method, m.On, m.OnBatch, m.Definition, m.Codec)
	}
	for q, n := range names.Queues {
		add(n.Function)
		if hasMessages(q, names) {
			add(n.Handler, n.Constructor)
		}
	}
	for _, name := range names.Types {
		add(name)
	}
	for _, name := range names.Fields {
		add("." + name)
	}
	for _, s := range names.Schemas {
		add(s.Type, "."+s.Rest, "."+s.Marker, s.Decode, s.Unknown, s.Values, s.Table, s.Pattern)
		add(s.Constants...)
	}
	return all
}

func hasMessages(q *schema.Queue, names *gonames.Names) bool {
	for u := range names.Messages {
		if u.Queue == q {
			return true
		}
	}
	return false
}
