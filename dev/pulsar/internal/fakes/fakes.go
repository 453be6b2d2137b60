//go:build linux || darwin

// Package fakes stands in for java, mvn and docker in tests, so that the life
// of a broker can be tested in milliseconds: each fake is the test binary run
// again under another name.
//
// A test binary that uses it calls Main first thing in its TestMain.
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

// Main runs the fake that the process was started as, if it was, and does not
// return then.
func Main() {
	dir := os.Getenv(dirVariable)
	switch os.Getenv(toolVariable) {
	case "":
	case "java":
		os.Exit(java(dir, os.Args[1:]))
	case "mvn":
		os.Exit(maven(dir, os.Args[1:]))
	case "docker":
		os.Exit(docker(dir, os.Args[1:]))
	default:
		fmt.Fprintln(os.Stderr, "unknown fake")
		os.Exit(125)
	}
}

// Tools is a folder with fakes in it.
type Tools struct{ Dir string }

// Install makes a folder with the fakes named: "java", "mvn", "docker".
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

// Set makes the tool behave in the way of the mode from now on. See the fakes
// for what each knows.
func (f *Tools) Set(t testing.TB, tool, mode string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(f.Dir, tool+".mode"), []byte(mode), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Calls returns the command lines that the tool was called with, in order.
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

// mode returns how the tool is to behave.
func mode(dir, tool string) string {
	content, _ := os.ReadFile(filepath.Join(dir, tool+".mode"))
	return string(content)
}

// once reports true the first time it is called for the name.
func once(dir, name string) bool {
	f, err := os.OpenFile(filepath.Join(dir, name+".once"), os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// record notes a call.
func record(dir, tool string, args []string) {
	f, err := os.OpenFile(filepath.Join(dir, tool+".calls"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, strings.Join(args, " "))
}
