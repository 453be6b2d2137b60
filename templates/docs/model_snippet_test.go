package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/templates/golang"
)

// TestSnippetsCompile compiles the snippets of all messages and queues of a catalog together with its generated code.
func TestSnippetsCompile(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{example, everyKeyword} {
		c := load(t, path)
		code, findings, err := golang.Generate(c, golang.Options{})
		if err != nil || findings.HasErrors() {
			t.Fatal(findings, err)
		}
		dir := t.TempDir()
		replaced := map[string]string{}
		put := func(text []byte, inModule ...string) {
			file := filepath.Join(dir, inModule[len(inModule)-1])
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			replaced[filepath.Join(append([]string{root, "examples", "snippets"}, inModule...)...)] = file
		}
		for name, text := range code {
			put(text, c.Package, name)
		}
		program := programOf(siteOf(t, c))
		put([]byte(program), "main.go")
		overlay, err := json.Marshal(map[string]any{"Replace": replaced})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "overlay.json")
		if err := os.WriteFile(file, overlay, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "go", "build", "-overlay", file, "-o", os.DevNull, "./examples/snippets")
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s\n%s", path, err, out, program)
		}
	}
}

// programOf returns a program with all snippets.
func programOf(s *site) string {
	var b strings.Builder
	fmt.Fprintf(&b, `package main

import (
	"context"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/snippets/%s"
	bq "github.com/babelqueue/bqgen/runtime"
)

type Service struct{}

func (*Service) store(context.Context, any) error { return nil }

func main() {}
`, s.Package)
	for i, m := range s.Messages {
		b.WriteString("\n" + m.Handle().String())
		fmt.Fprintf(&b, "\nfunc publish%d(ctx context.Context, client pulsar.Client) error {\n%s\n"+
			"\t_ = result\n\treturn err\n}\n", i, m.Publish())
	}
	var consume []code
	for _, q := range s.Queues {
		consume = append(consume, q.Consume)
	}
	for _, service := range s.Services {
		for _, r := range service.Receives {
			consume = append(consume, r.Consume)
		}
	}
	for i, snippet := range consume {
		if snippet == nil {
			continue // a queue with services has theirs, and a service on a work queue has the queue's
		}
		first, rest, _ := strings.Cut(snippet.String(), "\n")
		fmt.Fprintf(&b, "\n%s\n\nfunc consume%d(ctx context.Context, client pulsar.Client, service *Service) error {\n"+
			"%s\n\treturn err\n}\n", first, i, rest)
	}
	return b.String()
}

func TestMarkingTokensKeepsTheText(t *testing.T) {
	for _, src := range []string{"", "x := `a\n` // b\nfunc", "\"unfinished", "a\u2028'", "type T struct{} /* x"} {
		if got := goCode(src).String(); got != src {
			t.Errorf("%q became %q", src, got)
		}
		if got := jsonCode(src).String(); got != src {
			t.Errorf("%q became %q", src, got)
		}
	}
	got := jsonCode(`{"a": "b", "c": [-1.5e3, true, "d:"]}`)
	want := code{
		{"", "{"}, {"keyword", `"a"`}, {"", ": "}, {"string", `"b"`}, {"", ", "}, {"keyword", `"c"`}, {"", ": ["},
		{"number", "-1.5e3"}, {"", ", "}, {"number", "true"}, {"", ", "}, {"string", `"d:"`}, {"", "]}"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
