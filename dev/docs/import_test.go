package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheStoryOfTheImport does what docs/import.md tells: it imports the document, generates the code, and runs the
// handler.
func TestTheStoryOfTheImport(t *testing.T) {
	d := readDocument(t, "docs/import.md")
	first := func(language, start string) block {
		t.Helper()
		for _, b := range d.blocks() {
			if b.language == language && strings.HasPrefix(b.text, start) {
				return b
			}
		}
		t.Fatalf("docs/import.md has no block of %s that starts with %q", language, start)
		return block{}
	}
	dir := t.TempDir()
	document := []byte(first("yaml", "asyncapi:").text)
	if err := os.WriteFile(filepath.Join(dir, "asyncapi.yaml"), document, 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := buildBqgen()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(first("sh", "bqgen import").text) {
		args := strings.Fields(line)
		run := exec.Command(program, args[1:]...)
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	catalog, err := os.ReadFile(filepath.Join(dir, "urns.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := first("yaml", "bqgen: 1")
	if diff := cmp.Diff(wanted.text, string(catalog)); diff != "" {
		t.Errorf("the catalog (-document +import):\n%s", diff)
	}

	o := newOverlay(t)
	o.addSnippet(t, d, first("go", "package main"), o.generate(t, "docs/import.md", wanted))
	if got, want := o.run(t), first("text", "").text; got != want {
		t.Errorf("the handler printed %q, want %q", got, want)
	}
}

// run runs the first snippet.
func (o *overlay) run(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(o.temp, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", "-overlay", file, o.snippets[0])
	var stderr strings.Builder
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, stderr.String())
	}
	return string(out)
}
