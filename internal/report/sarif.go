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
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{rule.ID, sarifText{rule.Purpose}, sarifConfig{rule.Severity.String()}})
	}
	for _, f := range r.Findings {
		run.Results = append(run.Results, sarifResultOf(f, index))
	}
	return writeJSON(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

func sarifResultOf(f Finding, index map[string]int) sarifResult {
	result := sarifResult{
		RuleID: f.Rule, Level: f.Severity.String(), Message: sarifText{plainMessage.Replace(f.Message)}, Properties: detailMap(f.Details),
		Locations: []sarifLocation{{sarifPhysical{
			sarifArtifact{fileURI(f.Pos.File)}, sarifRegion{max(1, f.Pos.Line), max(1, f.Pos.Column)},
		}}},
	}
	if i, ok := index[f.Rule]; ok {
		result.RuleIndex = &i
	}
	if f.Hint != "" {
		result.Message.Text += "\n" + plainMessage.Replace(f.Hint)
	}
	return result
}

// plainMessage escapes what would make a link or a placeholder of a catalog's text.
var plainMessage = strings.NewReplacer("\\", "\\\\", "[", "\\[", "]", "\\]", "{", "{{", "}", "}}")

// fileURI writes a path as a URI: relative ones stay relative, which is what code scanning wants.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
	}
	return (&url.URL{Path: strings.TrimPrefix(slashed, "./")}).String()
}

// LevelSeverity is the severity of what a lint rule at the level finds; what is off would be a warning.
func LevelSeverity(level schema.LintLevel) schema.Severity {
	if level == schema.LintError {
		return schema.Error
	}
	return schema.Warning
}
