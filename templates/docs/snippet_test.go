package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSnippetsCompile puts the snippets of all messages and queues of the example into a program beside its generated code.
func TestSnippetsCompile(t *testing.T) {
	s := siteOf(t, load(t, shop))
	var b strings.Builder
	b.WriteString(`package main

import (
	"context"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
)

type Service struct{}

func (*Service) store(context.Context, any) error { return nil }

func main() {}
`)
	for i, m := range s.Messages {
		b.WriteString("\n" + m.Handle.String())
		fmt.Fprintf(&b, "\nfunc publish%d(ctx context.Context, client pulsar.Client) error {\n%s\n\t_ = result\n\treturn err\n}\n", i, m.Publish)
	}
	for i, q := range s.Queues {
		first, rest, _ := strings.Cut(q.Consume.String(), "\n")
		fmt.Fprintf(&b, "\n%s\n\nfunc consume%d(ctx context.Context, client pulsar.Client, service *Service) error {\n%s\n\treturn err\n}\n", first, i, rest)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "examples", "snippets", "main.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{file: []byte(b.String()), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", os.DevNull, "./examples/snippets")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, b.String())
	}
}

func TestSnippetsAreMarkedWithoutLosingAnything(t *testing.T) {
	for _, src := range []string{"", "x := `a\n` // b\nfunc", "\"unfinished", "a\u2028'", "type T struct{} /* x"} {
		if got := goTokens(src).String(); got != src {
			t.Errorf("%q became %q", src, got)
		}
		if got := jsonTokens(src).String(); got != src {
			t.Errorf("%q became %q", src, got)
		}
	}
	got := jsonTokens(`{"a": "b", "c": [-1.5e3, true, "d:"]}`)
	want := code{{"", "{"}, {"keyword", `"a"`}, {"", ": "}, {"string", `"b"`}, {"", ", "}, {"keyword", `"c"`}, {"", ": ["}, {"number", "-1.5e3"}, {"", ", "}, {"number", "true"}, {"", ", "}, {"string", `"d:"`}, {"", "]}"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
