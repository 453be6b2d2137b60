package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
)

func flood(n int) *Report {
	r := &Report{Command: "lint", Subject: "urns.yaml"}
	add := func(line int, rule string, s schema.Severity) {
		r.Findings = append(r.Findings, Finding{Diagnostic: schema.Diagnostic{
			Pos: schema.Pos{File: "urns.yaml", Line: line, Column: 1}, Rule: rule, Message: "m", Severity: s,
		}})
	}
	for i := range n {
		add(i+1, "text-changed", schema.Note)
	}
	add(n+1, "type-changed", schema.Error)
	return r
}

func TestAFloodOfFindingsIsCountedAndHidesNoError(t *testing.T) {
	const n = 100_000
	for _, format := range Formats {
		print, err := ByName(format, false)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		r := flood(n)
		if err := print(&out, r); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if out.Len() > 500_000 || !strings.Contains(text, "type-changed") {
			t.Errorf("%s: %d bytes, the error among them: %v", format, out.Len(), strings.Contains(text, "type-changed"))
		}
		if format == "json" {
			var got struct {
				Findings, Omitted []struct {
					Rule  string
					Count int
				}
				Summary struct{ Errors, Notes int }
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Findings) != maxFindings || len(got.Omitted) != 1 || got.Omitted[0].Count != n+1-maxFindings ||
				got.Summary.Errors != 1 || got.Summary.Notes != n {
				t.Errorf("%d findings, omitted %v, summary %v", len(got.Findings), got.Omitted, got.Summary)
			}
		} else if want := "99001 more findings are not shown: text-changed (99001 notes)"; !strings.Contains(text, want) {
			t.Errorf("%s: it does not say %q", format, want)
		}
		if !r.Fails(false) || !strings.Contains(r.Summary(), "1 error, 100000 notes") {
			t.Errorf("fails %v, summary %s", r.Fails(false), r.Summary())
		}
	}
}

// A pull request can rename a thousand things. The break that it accepts is shown all the same.
func TestAFloodOfWarningsHidesNoWaiver(t *testing.T) {
	r := flood(0)
	add := func(rule string, s schema.Severity, details ...Detail) {
		r.Findings = append(r.Findings, Finding{schema.Diagnostic{Rule: rule, Severity: s}, details})
	}
	for range 2 * maxFindings {
		add("go-name-changed", schema.Warning)
	}
	add("enum-value-removed", schema.Note, Detail{Waived, "nobody sends it"})
	shown, omitted := r.shown()
	if last := shown[len(shown)-1]; len(shown) != maxFindings || last.Rule != "enum-value-removed" || len(omitted) != 1 {
		t.Errorf("%d are shown, the last is %v, omitted %v", len(shown), last, omitted)
	}
}

func TestNothingIsOmittedUpToTheLimit(t *testing.T) {
	r := flood(maxFindings - 1)
	if shown, omitted := r.shown(); len(shown) != maxFindings || omitted != nil {
		t.Errorf("%d are shown, omitted %v", len(shown), omitted)
	}
}
