//go:build linux || darwin

// Package fakes replaces java and mvn in tests, so that starting and stopping a broker takes milliseconds. Each
// fake is the test binary, run again under another name.
//
// A test binary that uses it must call Main at the start of its TestMain.
package fakes

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	toolVariable = "BQ_FAKE_TOOL"
	dirVariable  = "BQ_FAKE_DIR"
)

// Main runs a fake and exits if the process was started as one. Otherwise it makes the process trust the jars of the
// fakes.
func Main() {
	dir := os.Getenv(dirVariable)
	switch os.Getenv(toolVariable) {
	case "":
		trustJars()
	case "java":
		os.Exit(java(dir, os.Args[1:]))
	case "mvn":
		os.Exit(maven(dir, os.Args[1:]))
	default:
		fmt.Fprintln(os.Stderr, "unknown fake")
		os.Exit(125)
	}
}

// Tools is a folder with fakes.
type Tools struct{ Dir string }

// Install creates a folder with the named fakes: "java", "mvn".
func Install(t testing.TB, names ...string) *Tools {
	t.Helper()
	tools := &Tools{Dir: t.TempDir()}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		// The race detector makes every process linger for a second.
		script := fmt.Sprintf("#!/bin/sh\nGORACE=atexit_sleep_ms=0 %s=%s %s='%s' exec '%s' \"$@\"\n",
			toolVariable, name, dirVariable, tools.Dir, self)
		if err := os.WriteFile(filepath.Join(tools.Dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return tools
}

// Set sets the mode of a tool. Each fake documents its modes.
func (f *Tools) Set(t testing.TB, tool, mode string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(f.Dir, tool+".mode"), []byte(mode), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Calls returns the arguments of the calls of a tool, in order.
func (f *Tools) Calls(t testing.TB, tool string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(f.Dir, tool+".calls"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

// mode returns the mode of a tool.
func mode(dir, tool string) string {
	content, _ := os.ReadFile(filepath.Join(dir, tool+".mode"))
	return string(content)
}

// once reports true the first time that it is called with a name.
func once(dir, name string) bool {
	f, err := os.OpenFile(filepath.Join(dir, name+".once"), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// record records a call of a tool.
func record(dir, tool string, args []string) {
	f, err := os.OpenFile(filepath.Join(dir, tool+".calls"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, strings.Join(args, " "))
}
