package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// All text goes through the writer that run makes, which makes it harmless: nothing else may name a stream of the
// process, nor call what writes to one.
func TestNothingIsPrintedPastTheConsole(t *testing.T) {
	files, streams := 0, 0
	for _, folder := range []string{"cmd", "internal", "schema", "templates"} {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && e.Name() == "testdata" {
				return err
			}
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				fset := token.NewFileSet()
				f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
				if err != nil {
					return err
				}
				files++
				for pos, what := range printing(f) {
					if what == "os.Stdout" || what == "os.Stderr" {
						streams++
					}
					if !isCallOfRun(f, pos) {
						t.Errorf("%v: %s prints past the console", fset.Position(pos), what)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 || streams != 2 {
		t.Errorf("%d files that name the streams %d times: want twice, where main passes them to run", files, streams)
	}
}

// printing finds what prints to a stream of the process, whatever the package of the name is imported as.
func printing(f *ast.File) map[token.Pos]string {
	imported := map[string]string{} // path by name
	found := map[token.Pos]string{}
	for _, spec := range f.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if path == "log" || name == "." {
			found[spec.Pos()] = "import of " + path
		}
		imported[name] = path
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				if path := imported[x.Name]; path != "" && prints(path, n.Sel.Name) {
					found[n.Pos()] = path + "." + n.Sel.Name
				}
			}
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "print" || name.Name == "println") {
				found[n.Pos()] = name.Name
			}
		case *ast.CompositeLit: // the client logs to standard error by default
			if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "ClientOptions" && !hasKey(n, "Logger") {
				found[n.Pos()] = "a Pulsar client without a logger"
			}
		}
		return true
	})
	return found
}

func prints(path, name string) bool {
	switch path {
	case "os":
		return name == "Stdout" || name == "Stderr" || name == "NewFile"
	case "syscall":
		return name == "Stdout" || name == "Stderr" || name == "Write"
	case "fmt":
		return strings.HasPrefix(name, "Print")
	case "log/slog":
		switch name {
		case "Default", "Debug", "DebugContext", "Info", "InfoContext", "Warn", "WarnContext", "Error", "ErrorContext",
			"Log", "LogAttrs", "With", "NewLogLogger":
			return true
		}
	}
	return false
}

func hasKey(lit *ast.CompositeLit, name string) bool {
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
				return true
			}
		}
	}
	return false
}

// isCallOfRun reports whether pos is in the arguments of run, in main.
func isCallOfRun(f *ast.File, pos token.Pos) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && call.Pos() <= pos && pos < call.End() {
			name, ok := call.Fun.(*ast.Ident)
			found = found || ok && name.Name == "run" && f.Name.Name == "main"
		}
		return !found
	})
	return found
}

func TestWhatPrintsIsFound(t *testing.T) {
	for source, want := range map[string]bool{
		`import "fmt"; func f() { fmt.Println() }`:                                      true,
		`import out "fmt"; func f() { out.Print() }`:                                    true,
		`import "os"; var w = os.Stderr`:                                                true,
		`import "log"; func f() { log.Print() }`:                                        true,
		`import "log/slog"; func f() { slog.Info("x") }`:                                true,
		`import . "fmt"; func f() { Println() }`:                                        true,
		`func f() { println() }`:                                                        true,
		`import "a/pulsar"; var o = pulsar.ClientOptions{URL: "x"}`:                     true,
		`import "a/pulsar"; var o = pulsar.ClientOptions{URL: "x", Logger: quiet}`:      false,
		`import "fmt"; import "io"; func f(w io.Writer) { fmt.Fprintln(w) }`:            false,
		`import "log/slog"; import "io"; var l = slog.New(slog.NewTextHandler(w, nil))`: false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a; "+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(printing(f)) > 0; got != want {
			t.Errorf("%s: found %v", source, got)
		}
	}
}

// Every command, those to come included, answers hostile arguments and catalogs harmlessly.
func TestNoCommandPrintsCommandsOfACISystem(t *testing.T) {
	commands := 0
	var walk func(cmd *cobra.Command, path []string)
	walk = func(cmd *cobra.Command, path []string) {
		for _, sub := range cmd.Commands() {
			walk(sub, append(path[:len(path):len(path)], sub.Name()))
		}
		commands++
		for i, order := range orders {
			t.Chdir(t.TempDir())
			write(t, "urns.yaml", strings.ReplaceAll(hostileCatalogs["texts"], "ORDER", quoted(order)))
			with := func(args ...string) { harmless(t, append(path[:len(path):len(path)], args...)...) }
			with("--help")
			with(order, order)
			with("--" + order)
			if i > 0 {
				continue // the other orders differ in what is broken up, not in where it comes from
			}
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(cmd.Flags().FlagUsages(), -1) {
				with(flag, order)
				with(flag, order, order)
				with(flag + "=" + order)
			}
		}
	}
	walk(newRoot(), nil)
	if commands < 15 {
		t.Errorf("%d commands", commands)
	}
}
