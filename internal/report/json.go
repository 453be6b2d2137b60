package report

import (
	"encoding/json"
	"io"

	"github.com/babelqueue/bqgen/schema"
)

type jsonReport struct {
	Version  int           `json:"version"` // of this format
	Command  string        `json:"command"`
	Subject  string        `json:"subject"`
	Findings []jsonFinding `json:"findings"`
	Omitted  []jsonOmitted `json:"omitted,omitempty"` // findings that are not among the above; the summary counts them
	Summary  jsonSummary   `json:"summary"`
}

type jsonOmitted struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Count    int    `json:"count"`
}

type jsonFinding struct {
	File      string            `json:"file"`
	Line      int               `json:"line"`
	Column    int               `json:"column"`
	EndLine   int               `json:"endLine,omitempty"` // with EndColumn, the place behind the last character
	EndColumn int               `json:"endColumn,omitempty"`
	Rule      string            `json:"rule"`
	Severity  string            `json:"severity"` // error, warning or note
	Message   string            `json:"message"`
	Hint      string            `json:"hint,omitempty"`
	Details   map[string]string `json:"details,omitempty"`
}

type jsonSummary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`

	Rules []ruleCount `json:"rules"` // the most frequent first
}

// JSON prints findings for scripts, as one document. Its fields are stable; more may be added.
func JSON(w io.Writer, r *Report) error {
	out := jsonReport{
		Version: 1, Command: r.Command, Subject: r.Subject, Findings: []jsonFinding{},
		Summary: jsonSummary{r.count(schema.Error), r.count(schema.Warning), r.count(schema.Note), r.byRule()},
	}
	shown, omitted := r.shown()
	for _, o := range omitted {
		out.Omitted = append(out.Omitted, jsonOmitted{o.rule, o.severity.String(), o.count})
	}
	for _, f := range shown {
		out.Findings = append(out.Findings, jsonFinding{
			File: f.Pos.File, Line: f.Pos.Line, Column: f.Pos.Column, EndLine: f.End.Line, EndColumn: f.End.Column,
			Rule: f.Rule, Severity: f.Severity.String(), Message: f.Message, Hint: f.Hint,
			Details: detailMap(f.Details),
		})
	}
	return writeJSON(w, out)
}

func detailMap(details []Detail) map[string]string {
	if len(details) == 0 {
		return nil
	}
	m := make(map[string]string, len(details))
	for _, d := range details {
		m[d.Name] = d.Value
	}
	return m
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
