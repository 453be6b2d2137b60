package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func diffLines(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

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

func TestWriteTextGivesOneLineAFindingAndOneItsHint(t *testing.T) {
	findings := NewDiagnostics(
		Diagnostic{Pos: Pos{"urns.yaml", 12, 7}, Rule: "rule-id", Message: "message"},
		Diagnostic{Pos: Pos{"urns.yaml", 13, 1}, Rule: "other", Message: "more", Hint: "do this"},
	)
	want := "urns.yaml:12:7: message (rule-id)\nurns.yaml:13:1: more (other)\n    hint: do this\n"
	if diff := cmp.Diff(want, textOf(t, findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWriteTextReportsAFailedWrite(t *testing.T) {
	broken := errors.New("pipe closed")
	err := WriteText(failingWriter{broken}, Diagnostics{{Message: strings.Repeat("x", 1<<16)}})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
