package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type reviewed struct {
	Findings []struct {
		File     string
		Line     int
		Rule     string
		Severity string
		Hint     string
		Details  map[string]string
	}
}

func runReview(t *testing.T, want int, args ...string) reviewed {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(append(args, "--format", "json"), &stdout, &stderr); code != want {
		t.Fatalf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
	var out reviewed
	if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// seeded are the faults that a catalog's comments announce, as line and rule.
func seeded(t *testing.T, file, word string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for i, line := range strings.Split(string(text), "\n")[1:] {
		for _, m := range regexp.MustCompile(word+` ([a-z-]+)`).FindAllStringSubmatch(line, -1) {
			all = append(all, fmt.Sprintf("%d %s", i+2, m[1]))
		}
	}
	slices.Sort(all)
	return all
}

// A reviewer is told of every fault and every break, each at its line, and of nothing else.
func TestSeededFaultsAndBreaksAreFoundAtTheirLines(t *testing.T) {
	const old, new = "testdata/review/old.yaml", "testdata/review/new.yaml"
	var faults []string
	for _, f := range runReview(t, exitOK, "lint", "--catalog", new).Findings {
		faults = append(faults, fmt.Sprintf("%d %s", f.Line, f.Rule))
	}
	slices.Sort(faults)
	if diff := cmp.Diff(seeded(t, new, "want"), faults); diff != "" || len(faults) < 10 {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	var breaks []string
	for _, f := range runReview(t, exitFindings, "breaking", "--catalog", new, "--against", old).Findings {
		if f.Severity != "error" {
			continue
		}
		breaks = append(breaks, fmt.Sprintf("%d %s", f.Line, f.Rule))
		shown := f.Details["document"] + f.Details["consumers-refuse"] + f.Details["producers-wrote"]
		if !strings.HasPrefix(shown, "{") || f.Hint == "" || !strings.HasPrefix(f.Details["direction"], "breaks ") {
			t.Errorf("line %d: %s: hint %q, details %v", f.Line, f.Rule, f.Hint, f.Details)
		}
	}
	slices.Sort(breaks)
	if diff := cmp.Diff(seeded(t, new, "breaks"), breaks); diff != "" || len(breaks) < 10 {
		t.Errorf("breaks (-want +got):\n%s", diff)
	}
}

// Compared with itself the example breaks nothing, and lint finds nothing in it.
func TestTheExampleIsNotAccusedFalsely(t *testing.T) {
	const example = "../../examples/urns.yaml"
	if got := runReview(t, exitOK, "breaking", "--catalog", example, "--against", example); len(got.Findings) > 0 {
		t.Errorf("breaking: %v", got)
	}
	if got := runReview(t, exitOK, "lint", "--catalog", example); len(got.Findings) > 0 {
		t.Errorf("lint: %v", got)
	}
}
