package report

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema"
)

func hostileReport() *Report {
	place := func(line, column int) schema.Pos {
		return schema.Pos{File: "my, cat:100%.yaml", Line: line, Column: column}
	}
	at := func(line int) schema.Pos { return place(line, 3) }
	return &Report{
		Command: "lint", Version: "v1.2.3", Subject: "my, cat:100%.yaml",
		Rules: []Rule{{"one", "The first.", schema.Error}, {"two", "The second.", schema.Warning}},
		Findings: []Finding{
			{Diagnostic: schema.Diagnostic{Pos: at(1), End: place(1, 9), Rule: "one",
				Message: `50% of "[x](https://example.com)" <b>`, Hint: "do {0}"}},
			{Diagnostic: schema.Diagnostic{Pos: at(2), End: place(4, 1), Rule: "two",
				Message: "a\r\n::error::b", Severity: schema.Warning},
				Details: []Detail{{"document", `{"a":1}`}}},
			{Diagnostic: schema.Diagnostic{Pos: at(3), Rule: "yaml-syntax", Message: "c", Severity: schema.Note}},
		},
	}
}

func printed(t *testing.T, format string) string {
	t.Helper()
	print, err := ByName(format, false)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := print(&out, hostileReport()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A message of schema is one line already; here is what the formats make of one that is not.
func TestGitHubCommandsCannotBeForged(t *testing.T) {
	want := "::error file=my%2C cat%3A100%25.yaml,line=1,col=3,endLine=1,endColumn=9,title=bqgen one::" +
		`50%25 of "[x](https://example.com)" <b>%0Ahint: do {0}
` + "::warning file=my%2C cat%3A100%25.yaml,line=2,col=3,endLine=4,title=bqgen two::" +
		`a\u000d\u000a::error::b%0Adocument: {"a":1}
::notice file=my%2C cat%3A100%25.yaml,line=3,col=3,title=bqgen yaml-syntax::c
`
	if diff := cmp.Diff(want, printed(t, "github")); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
}

func TestSARIFFollowsItsSchema(t *testing.T) {
	f, err := os.Open("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	official, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", official); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	text := printed(t, "sarif")
	for _, text := range []string{text, func() string {
		var out bytes.Buffer
		if err := SARIF(&out, &Report{Command: "lint"}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}()} {
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(log); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	// The schema does bite.
	broken, _ := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(text, `"startLine": 1`, `"startLine": 0`, 1)))
	if s.Validate(broken) == nil {
		t.Error("line 0 is accepted")
	}
}

func TestSARIFText(t *testing.T) {
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				RuleIndex *int
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           map[string]int
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(printed(t, "sarif")), &log); err != nil {
		t.Fatal(err)
	}
	r := log.Runs[0].Results
	if got, want := r[0].Message.Text, `50% of "\[x\](https://example.com)" <b>`+"\ndo {{0}}"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	for i, want := range []map[string]int{
		{"startLine": 1, "startColumn": 3, "endLine": 1, "endColumn": 9},
		{"startLine": 2, "startColumn": 3, "endLine": 4, "endColumn": 1},
		{"startLine": 3, "startColumn": 3},
	} {
		if diff := cmp.Diff(want, r[i].Locations[0].PhysicalLocation.Region); diff != "" {
			t.Errorf("region of result %d (-want +got):\n%s", i, diff)
		}
	}
	got := r[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
	if strings.TrimPrefix(got, "./") != "my,%20cat:100%25.yaml" {
		t.Errorf("URI %q", got)
	}
	if *r[1].RuleIndex != 1 || r[2].RuleIndex != nil || r[2].Level != "note" {
		t.Errorf("results %+v", r)
	}
}

func TestJSONFields(t *testing.T) {
	want := `{
  "version": 1,
  "command": "lint",
  "subject": "my, cat:100%.yaml",
  "findings": [
    {
      "file": "my, cat:100%.yaml",
      "line": 1,
      "column": 3,
      "endLine": 1,
      "endColumn": 9,
      "rule": "one",
      "severity": "error",
      "message": "50% of \"[x](https://example.com)\" <b>",
      "hint": "do {0}"
    },
    {
      "file": "my, cat:100%.yaml",
      "line": 2,
      "column": 3,
      "endLine": 4,
      "endColumn": 1,
      "rule": "two",
      "severity": "warning",
      "message": "a\r\n::error::b",
      "details": {
        "document": "{\"a\":1}"
      }
    },
    {
      "file": "my, cat:100%.yaml",
      "line": 3,
      "column": 3,
      "rule": "yaml-syntax",
      "severity": "note",
      "message": "c"
    }
  ],
  "summary": {
    "errors": 1,
    "warnings": 1,
    "notes": 1,
    "rules": [
      {
        "rule": "one",
        "count": 1
      },
      {
        "rule": "two",
        "count": 1
      },
      {
        "rule": "yaml-syntax",
        "count": 1
      }
    ]
  }
}
`
	if diff := cmp.Diff(want, printed(t, "json")); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

func TestTextHasColorsOnlyWhenAsked(t *testing.T) {
	r := &Report{Command: "lint", Subject: "a\nb", Findings: []Finding{
		{Diagnostic: schema.Diagnostic{
			Pos: schema.Pos{File: "a\x1b[2Jb", Line: 1, Column: 2}, Rule: "r", Message: "m", Hint: "h", Severity: schema.Warning,
		}},
		{Diagnostic: schema.Diagnostic{Pos: schema.Pos{File: "f", Line: 1, Column: 2}, Rule: "r", Message: "m"}},
	}}
	var plain, color bytes.Buffer
	if err := Text(&plain, r, false); err != nil {
		t.Fatal(err)
	}
	want := "\"a\\x1b[2Jb\":1:2: warning: m (r)\n    hint: h\nf:1:2: m (r)\n"
	if diff := cmp.Diff(want, plain.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if err := Text(&color, r, true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(color.String(), "\x1b[31merror:\x1b[0m m") {
		t.Errorf("%q", color.String())
	}
	if got, want := r.Summary(), `bqgen lint: "a\nb": 1 error, 1 warning`; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
}

// A summary of many findings says of which rules they are.
func TestASummaryOfManyFindingsCountsThemByRule(t *testing.T) {
	r := &Report{Command: "lint", Subject: "f"}
	for i := range 12 {
		rule := []string{"b", "a", "c", "c"}[i%4]
		r.Findings = append(r.Findings, Finding{Diagnostic: schema.Diagnostic{Rule: rule}})
	}
	if got, want := r.Summary(), "bqgen lint: f: 12 errors (6 c, 3 a, 3 b)"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
}

// A name in a catalog ends up in messages and hints.
func TestTextOfACatalogCannotBeginALine(t *testing.T) {
	r := &Report{Findings: []Finding{{Diagnostic: schema.Diagnostic{
		Pos: schema.Pos{File: "f", Line: 1, Column: 2}, Rule: "r", Message: "a\n::error::b", Hint: "c\r\n::error::d\x1b[2K",
	}}}}
	var out bytes.Buffer
	if err := Text(&out, r, false); err != nil {
		t.Fatal(err)
	}
	want := `f:1:2: a\u000a::error::b (r)` + "\n" + `    hint: c\u000d\u000a::error::d\u001b[2K` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDetailsAreReadable(t *testing.T) {
	long := strings.Repeat("a", 3000)
	for in, want := range map[string]string{
		`{"a":"é"}`:        `{"a":"é"}`,
		"\u202ea\nb\x1b":   `\u202ea\u000ab\u001b`,
		"\U000e0001":       `\udb40\udc01`,
		long[:1999] + "éé": long[:1999] + "... (2003 bytes in all: use --format json to see them)",
		long:               long[:2000] + "... (3000 bytes in all: use --format json to see them)",
	} {
		if got := readable(in); got != want {
			t.Errorf("%.20q: %q", in, got)
		}
	}
}
