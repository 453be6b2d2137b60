package report

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool         `json:"tool"`
	ColumnKind string            `json:"columnKind"`
	Automation map[string]string `json:"automationDetails"`
	Results    []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string      `json:"id"`
	Short         sarifText   `json:"shortDescription"`
	Configuration sarifConfig `json:"defaultConfiguration"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID     string            `json:"ruleId"`
	RuleIndex  *int              `json:"ruleIndex,omitempty"`
	Level      string            `json:"level"`
	Message    sarifText         `json:"message"`
	Locations  []sarifLocation   `json:"locations"`
	Properties map[string]string `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"` // behind the last character
}

// SARIF prints findings as SARIF 2.1.0, the format of code scanning. A SARIF level has the name of the severity.
func SARIF(w io.Writer, r *Report) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "bqgen", Version: r.Version, InformationURI: "https://github.com/babelqueue/bqgen", Rules: []sarifRule{},
		}},
		ColumnKind: "unicodeCodePoints",
		Automation: map[string]string{"id": "bqgen/" + r.Command + "/"},
		Results:    []sarifResult{},
	}
	index := make(map[string]int, len(r.Rules))
	for i, rule := range r.Rules {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: rule.ID, Short: sarifText{rule.Purpose}, Configuration: sarifConfig{rule.Severity.String()},
		})
	}
	shown, omitted := r.shown()
	if omitted != nil {
		shown = append(shown, Finding{Diagnostic: schema.Diagnostic{
			Pos: schema.Pos{File: r.Subject, Line: 1, Column: 1}, Rule: omittedRule, Severity: schema.Note,
			Message: omittedText(omitted),
		}})
	}
	for _, f := range shown {
		run.Results = append(run.Results, sarifResultOf(f, index))
	}
	return writeJSON(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func sarifResultOf(f Finding, index map[string]int) sarifResult {
	result := sarifResult{
		RuleID: f.Rule, Level: f.Severity.String(), Properties: detailMap(f.Details),
		Message:   sarifText{plainMessage.Replace(f.Message)},
		Locations: []sarifLocation{{sarifPhysical{sarifArtifact{fileURI(f.Pos.File)}, sarifRegionOf(f.Diagnostic)}}},
	}
	if i, ok := index[f.Rule]; ok {
		result.RuleIndex = &i
	}
	if f.Hint != "" {
		result.Message.Text += "\n" + plainMessage.Replace(f.Hint)
	}
	return result
}

func sarifRegionOf(d schema.Diagnostic) sarifRegion {
	return sarifRegion{max(1, d.Pos.Line), max(1, d.Pos.Column), d.End.Line, d.End.Column}
}

// plainMessage escapes the characters that begin a link or a placeholder.
var plainMessage = strings.NewReplacer("\\", "\\\\", "[", "\\[", "]", "\\]", "{", "{{", "}", "}}")

// fileURI returns a path as a URI. Relative ones stay relative, as code scanning needs them.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
	}
	return (&url.URL{Path: strings.TrimPrefix(slashed, "./")}).String()
}
