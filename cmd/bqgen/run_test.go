package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// A run whose findings nobody can read has failed: exit 1 would say that they were shown.
func TestFindingsThatCannotBePrintedFailTheRun(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	good := filepath.Join(dir, "good.yaml")
	for path, text := range map[string]string{bad: "bqgen: 2\n", good: "bqgen: 1\npackage: p\nqueues: {}\nurns: {}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range map[string][]string{
		"generate": {"generate", "--catalog", bad},
		"check":    {"check", "--catalog", good, "--out", filepath.Join(dir, "out")},
		"lint":     {"lint", "--catalog", bad},
		"breaking": {"breaking", "--catalog", bad, "--against", good, "--format", "json"},
		"version":  {"version"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			if code := run(args, brokenPipe{}, &stderr); code != exitFailed {
				t.Errorf("exit code %d", code)
			}
			if !strings.Contains(stderr.String(), "broken pipe") {
				t.Errorf("standard error: %q", stderr.String())
			}
		})
	}
}

// The package comment lists the commands with their purposes.
func TestThePackageCommentListsTheCommands(t *testing.T) {
	text, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^//\tbqgen ([a-z]+) +(.+)$`).FindAllStringSubmatch(string(text), -1) {
		listed[m[1]] = m[2]
	}
	want := map[string]string{}
	for _, c := range newRoot().Commands() {
		want[c.Name()] = c.Short
	}
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("commands (-want +listed):\n%s", diff)
	}
}

// Two runs share nothing: flags of the first are not the second's.
func TestRunsAreIndependent(t *testing.T) {
	dir := t.TempDir()
	catalog := filepath.Join(dir, "urns.yaml")
	if err := os.WriteFile(catalog, []byte("bqgen: 1\npackage: first\nqueues: {}\nurns: {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, args := range [][]string{{"--catalog", catalog, "--package", "second"}, {"--catalog", catalog}} {
		if code := run(args, &out, &out); code != exitOK {
			t.Fatalf("exit code %d: %s", code, out.String())
		}
	}
	for _, pkg := range []string{"first", "second"} {
		if entries, err := os.ReadDir(filepath.Join(dir, pkg)); err != nil || len(entries) == 0 {
			t.Errorf("%s: %v, %v", pkg, entries, err)
		}
	}
}
