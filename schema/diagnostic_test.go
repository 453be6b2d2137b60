package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiagnosticsAreSortedByPositionThenRuleWithoutDuplicates(t *testing.T) {
	at := func(file string, line, column int, rule, message string) Diagnostic {
		return Diagnostic{Pos: Pos{file, line, column}, Rule: rule, Message: message}
	}
	given := []Diagnostic{
		at("b.yaml", 1, 1, "a", "m"),
		at("a.yaml", 10, 1, "a", "m"),
		at("a.yaml", 9, 2, "a", "m"),
		at("a.yaml", 9, 1, "b", "m"),
		at("a.yaml", 9, 1, "a", "n"),
		at("a.yaml", 9, 1, "a", "m"),
		at("a.yaml", 9, 1, "b", "m"),
	}
	want := Diagnostics{given[5], given[4], given[3], given[2], given[1], given[0]}
	if diff := cmp.Diff(want, NewDiagnostics(given...)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if given[0].Pos.File != "b.yaml" {
		t.Error("the findings given were reordered")
	}
	if diff := cmp.Diff(want, NewDiagnostics(given[:3]...).Merge(NewDiagnostics(given[2:]...))); diff != "" {
		t.Errorf("merged: -want +got:\n%s", diff)
	}
	if NewDiagnostics() != nil {
		t.Error("no findings are not nil")
	}
}

func TestADiagnosticIsOneLine(t *testing.T) {
	d := Diagnostic{Pos: Pos{"urns.yaml", 12, 7}, Rule: "rule-id", Message: "message", Hint: "do this"}
	if got, want := d.String(), "urns.yaml:12:7: message (rule-id)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d.Severity = Warning
	if got, want := d.String(), "urns.yaml:12:7: warning: message (rule-id)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDiagnosticsAreAnErrorWhenOneOfThemIs(t *testing.T) {
	warning := Diagnostic{Pos: Pos{"urns.yaml", 1, 1}, Rule: "w", Message: "look", Severity: Warning}
	fault := Diagnostic{Pos: Pos{"urns.yaml", 2, 1}, Rule: "e", Message: "wrong"}
	for _, ds := range []Diagnostics{nil, {warning}, {{Severity: Note}}} {
		if err := ds.Err(); err != nil {
			t.Errorf("%v is the error %v", []Diagnostic(ds), err)
		}
	}
	err := fmt.Errorf("load: %w", NewDiagnostics(fault, warning).Err())
	if want := "load: urns.yaml:1:1: warning: look (w)\nurns.yaml:2:1: wrong (e)"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	var many []Diagnostic
	for line := range 13 {
		many = append(many, Diagnostic{Pos: Pos{"urns.yaml", line + 1, 1}, Rule: "e", Message: "wrong"})
	}
	lines := strings.Split(NewDiagnostics(many...).Error(), "\n")
	if len(lines) != 11 || lines[10] != "and 3 more findings" {
		t.Errorf("many findings are the error %q", lines)
	}
	if ds, ok := errors.AsType[Diagnostics](err); !ok || len(ds) != 2 {
		t.Errorf("the findings are not in the error: %v", ds)
	}
}
