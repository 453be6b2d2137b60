package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts call bqgen as a program, and under conditions that are hard to come by.
func TestMain(m *testing.M) {
	commands := map[string]func(){"bqgen": main}
	addConditions(commands)
	testscript.Main(m, commands)
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"crlf":     crlf,
			"exitcode": exitCode,
			"mtime":    mtime,
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
