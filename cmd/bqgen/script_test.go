package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/babelqueue/bqgen/internal/testenv"
)

// TestMain lets the scripts call bqgen as a program, and under conditions that are hard to come by.
func TestMain(m *testing.M) {
	commands := map[string]func(){"bqgen": main, "bqgen-hang": hang}
	addConditions(commands)
	testscript.Main(m, commands)
}

func TestScripts(t *testing.T) {
	testenv.SkipUnderRace(t, "commands have one goroutine, and hundreds of them are slow with it")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		// By default a script must end in nine tenths of the time that is left of the whole run. On a machine that is
		// busy the scripts come late, and then that is too little. The timeout of the run is enough.
		Deadline:            time.Now().Add(24 * time.Hour),
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"crlf":     crlf,
			"exitcode": exitCode,
			"mtime":    mtime,
			"recipe":   recipe,
		},
	})
}

// exitcode CODE PROGRAM [ARGS...] runs a program and wants this exit code, not just a failure.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE PROGRAM [ARGS...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		got = string(rune('0' + exit.ExitCode()))
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// recipe CATALOG FILE writes the commands with which docs/review.md looks for breaking changes in CI to a file.
func recipe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: recipe CATALOG FILE")
	}
	text, err := os.ReadFile(filepath.FromSlash("../../docs/review.md"))
	ts.Check(err)
	_, rest, found := strings.Cut(string(text), "      - run: |\n")
	commands, _, complete := strings.Cut(rest, "        if: always()\n")
	if !found || !complete || !strings.Contains(commands, "go tool bqgen breaking") {
		ts.Fatalf("docs/review.md has no commands that look for breaking changes")
	}
	commands = strings.NewReplacer("go tool bqgen", "bqgen", "urns.yaml", args[0]).Replace(commands)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(commands), 0o644))
}

// crlf FILE... gives files the line ends of a Windows checkout.
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := ts.ReadFile(name)
		var out []byte
		for i := range len(text) {
			if text[i] == '\n' {
				out = append(out, '\r')
			}
			out = append(out, text[i])
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), out, 0o644))
	}
}
