package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/babelqueue/bqgen/internal/console/citest"
	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/internal/testenv"
)

// orders are texts that a CI system or a terminal would obey.
var orders = []string{
	"::error file=app.go,line=1::forged", "##[add-mask]e", "##vso[task.setvariable variable=PATH]/evil",
	"##[error file=app.go;line=1]forged", "##teamcity[buildStatus text='x']",
	"\r::error::forged", "\n::error::forged", "\x1b[2K", "\u202e",
}

const orderly = "bqgen: 1\npackage: x\nqueues: {q: {}}\n"

// hostileCatalogs have an order wherever a catalog has text. ORDER is in YAML quotes already.
var hostileCatalogs = map[string]string{
	"unknown keys":  orderly + "ORDER: 1\nurns: {\"urn:a:b:c\": {queue: q, ORDER: 1, data: {type: object, ORDER: 2}}}\n",
	"repeated keys": orderly + "ORDER: 1\nORDER: 2\nurns: {}\n",
	"names":         orderly + "types: {ORDER: {type: string}}\nurns: {ORDER: {queue: ORDER, data: {$ref: ORDER}}}\n",
	"references":    orderly + "urns: {u: {queue: q, data: {type: object, properties: {a: {$ref: ORDER}}}}}\n",
	"versions":      "bqgen: ORDER\npackage: ORDER\nqueues: {ORDER: {topic: ORDER, max_attempts: ORDER}}\nurns: {}\n",
	"values": orderly + "urns: {u: {queue: q, data: {type: object, properties: {a: {type: ORDER, format: ORDER}, " +
		"b: {type: string, pattern: ORDER, default: 1}, c: {type: integer, default: ORDER}, d: {enum: [ORDER, 1]}, " +
		"e: {type: string, maxLength: ORDER, x-go-name: ORDER, x-go-type: {import: ORDER, name: ORDER}}}}}}\n",
	"examples": orderly + "urns: {u: {queue: q, data: {type: object, required: [ORDER], properties: {ORDER: " +
		"{type: string, enum: [ORDER, b], maxLength: 1}}}, examples: [{ORDER: ORDER}, {}, ORDER]}}\n",
	"lint":    orderly + "lint: {ORDER: error, missing-summary: ORDER}\nurns: {u: {queue: q, data: {type: object}}}\n",
	"comment": orderly + "urns:\n  u: {queue: q, data: {type: object}} # bqgen:ignore ::error::a ##[error]b of=##vso[c]\n",
	"syntax":  orderly + "urns: {ORDER: [ORDER\n",
	"texts": orderly + "urns: {\"urn:a:b:c\": {queue: q, summary: ORDER, description: ORDER, publishers: [ORDER], " +
		"data: {type: object, properties: {a: {type: string, description: ORDER, enum: [ORDER]}}}}}\n",
}

// quoted writes a text in the quotes of YAML.
func quoted(s string) string {
	return `"` + strings.NewReplacer("\r", `\r`, "\n", `\n`, "\x1b", `\e`, "\u202e", `\u202E`).Replace(s) + `"`
}

// harmless runs bqgen and reads what it prints as CI systems do. The commands of --format github are its own.
func harmless(t *testing.T, args ...string) (code int, output string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(args, &stdout, &stderr)
	own := regexp.MustCompile(`^::(error|warning|notice) ` +
		`(file=[^,:]*,line=\d+,col=\d+(,endLine=\d+(,endColumn=\d+)?)?,)?` +
		`title=bqgen [a-z0-9-]+::`)
	for _, line := range append(citest.Commands(stdout.String()), citest.Commands(stderr.String())...) {
		rest := own.ReplaceAllString(line, "")
		if rest == line || len(citest.Commands("x"+rest)) > 0 || !strings.Contains(strings.Join(args, " "), "github") {
			t.Errorf("bqgen %q prints %q", args, line)
		}
	}
	return code, stdout.String() + stderr.String()
}

func TestNoOutputIsACommandOfACISystem(t *testing.T) {
	testenv.SkipUnderRace(t, "hundreds of commands are slow with it")
	plain := orderly + "urns: {\"urn:a:b:c\": {queue: q, data: {type: object, properties: {a: {type: integer}}}}}\n"
	for name, catalog := range hostileCatalogs {
		for i, order := range orders {
			dir := t.TempDir()
			file, old := filepath.Join(dir, "urns.yaml"), filepath.Join(dir, "old.yaml")
			write(t, file, strings.ReplaceAll(catalog, "ORDER", quoted(order)))
			write(t, old, plain)
			for _, format := range report.Formats {
				harmless(t, "lint", "--catalog", file, "--format", format)
				harmless(t, "breaking", "--catalog", file, "--against", old, "--format", format)
				harmless(t, "breaking", "--catalog", old, "--against", file, "--format", format)
				harmless(t, "fmt", "--check", "--catalog", file, "--format", format)
				harmless(t, "check", "--catalog", file, "--out", filepath.Join(dir, "gen"), "--format", format)
				if i == 0 {
					harmless(t, "generate", "--catalog", file, "--out", filepath.Join(dir, "gen"), "--format", format)
				}
			}
			harmless(t, "docs", "--catalog", file, "--out", filepath.Join(dir, "docs"))
			harmless(t, "export", "asyncapi", "--catalog", file, "--out", filepath.Join(dir, "a.yaml"))
			if t.Failed() {
				t.Fatalf("catalog of %s with %q", name, order)
			}
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A pull request names its files, and says what is in generated ones.
func TestNoFileIsACommandOfACISystem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file names have no control characters there")
	}
	catalog := orderly + "urns: {\"urn:a:b:c\": {queue: q, data: {type: object}}}\n"
	for _, order := range orders {
		dir := t.TempDir()
		name := strings.ReplaceAll(order, "/", "-")
		file, out := filepath.Join(dir, name+".yaml"), filepath.Join(dir, name)
		write(t, file, catalog)
		if code, output := harmless(t, "generate", "--catalog", file, "--out", out); code != exitOK {
			t.Fatal(output)
		}
		write(t, filepath.Join(out, name+".bq.go"), "// Code generated by bqgen. DO NOT EDIT.\n") // an orphan
		changed := filepath.Join(out, "bc.bq.go")
		write(t, changed, "// Code generated by bqgen. DO NOT EDIT.\n\n"+order+"\npackage x\n")
		for _, format := range report.Formats {
			if code, output := harmless(t, "check", "--catalog", file, "--out", out, "--format", format); code != exitFindings {
				t.Errorf("exit code %d: %s", code, output)
			}
			harmless(t, "fmt", "--check", "--catalog", file, "--format", format)
		}
		for _, args := range [][]string{
			{"lint", "--catalog", filepath.Join(out, "missing", name)}, {"breaking", "--catalog", file, "--against", out},
			{"breaking", "--catalog", file, "--against-git", order},
			{"breaking", "--catalog", file, "--against-git", "a:" + order},
			{"docs", "--catalog", file, "--out", changed}, {"docs", "--catalog", file, "--format", order, "--out", "x"},
			{"export", "asyncapi", "--catalog", file, "--out", order}, {"export", order}, {"init", "--dir", out + "/a"},
			{"init", "--dir", changed}, {order}, {"lint", order}, {"lint", "--" + order}, {"lint", "--format", order},
			{"generate", "--catalog", file, "--package", order}, {"lint", "--strict=" + order}, {"help", order},
			{"--catalog", order, "--help"}, {"--out", order, "-h"}, {"-" + order}, {"completion", order},
			{"__complete", order, ""}, {"__complete", "lint", "--catalog", order},
		} {
			harmless(t, args...)
		}
	}
}

// A reference escapes an order, and a message quotes it without the escapes.
func TestEscapedReferencesAreNoCommands(t *testing.T) {
	for _, order := range orders {
		dir := t.TempDir()
		file := filepath.Join(dir, "urns.yaml")
		var escaped strings.Builder
		for _, c := range []byte("\n" + order) {
			fmt.Fprintf(&escaped, "%%%02X", c)
		}
		ref := `"urns.yaml#/$defs/` + escaped.String() + `"`
		write(t, file, orderly+"types: {T: {$ref: "+ref+"}}\n"+
			"urns: {\"urn:a:b:c\": {queue: q, data: {type: object, properties: {a: {$ref: '#/types/T'}}}}}\n")
		for _, format := range report.Formats {
			code, output := harmless(t, "lint", "--catalog", file, "--format", format)
			if code != exitFindings || !strings.Contains(output, "defs") {
				t.Errorf("exit code %d for %q: %s", code, order, output)
			}
		}
	}
}

// The texts of a catalog become comments of the generated code, which check shows where they are new.
func TestChangedTextsAreNoCommands(t *testing.T) {
	build := func(text string) string {
		return orderly + "urns: {\"urn:a:b:c\": {queue: q, summary: " + text + ", description: " + text +
			", data: {type: object, properties: {a: {type: string, description: " + text + "}}}}}\n"
	}
	for _, order := range orders {
		dir := t.TempDir()
		file, out := filepath.Join(dir, "urns.yaml"), filepath.Join(dir, "gen")
		write(t, file, build("Plain"))
		if code, output := harmless(t, "generate", "--catalog", file, "--out", out); code != exitOK {
			t.Fatal(output)
		}
		write(t, file, build(quoted("Changed "+order)))
		for _, format := range report.Formats {
			code, output := harmless(t, "check", "--catalog", file, "--out", out, "--format", format)
			if code != exitFindings || format == "text" && !strings.Contains(output, "Changed") {
				t.Errorf("exit code %d for %q: %s", code, order, output)
			}
		}
	}
}

// They are scripts, not text.
func TestShellCompletionsStayAsTheyAre(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if code, output := harmless(t, "completion", shell); code != exitOK || strings.Contains(output, `\u`) {
			t.Errorf("%s: exit code %d, a script that was changed", shell, code)
		}
	}
}

// The inputs are those with which bqgen was attacked before.
func TestNoInputOfAnEarlierAttackIsACommandOfACISystem(t *testing.T) {
	testenv.SkipUnderRace(t, "five thousand values are slow with it")
	archive, err := txtar.ParseFile("testdata/attacks.txtar")
	if err != nil {
		t.Fatal(err)
	}
	inputs := t.TempDir()
	if err := txtar.Write(archive, inputs); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ dir, command, found string }{
		{"v1", "lint", "unknown-key"}, {"v1", "fmt --check --catalog fmt-check.yaml", "duplicate-key"},
		{"hint", "lint", "unknown-ref"}, {"check-diff", "check --out x", "bc.bq.go"},
		{"enum", "breaking --against old.yaml", "enum-value-removed"},
		{"pat1x900", "breaking --against old.yaml", "pattern-changed"},
	} {
		t.Chdir(filepath.Join(inputs, tt.dir))
		formats := report.Formats
		if tt.command[0] == 'b' {
			formats = formats[:1] // the search for documents takes the time
		}
		for _, format := range formats {
			code, output := harmless(t, append(strings.Fields(tt.command), "--format", format)...)
			if code != exitFindings || !strings.Contains(output, tt.found) {
				t.Errorf("%s, %s: exit code %d: %s", tt.dir, tt.command, code, output[:min(len(output), 1000)])
			}
		}
	}
}
