//go:build linux || darwin

package fakes

import (
	"fmt"
	"os"
	"strings"
)

// java answers -version and runs a fake broker for anything else. Its modes
// are those of the broker, and "old": it is Java 11.
func java(dir string, args []string) int {
	record(dir, "java", args)
	if len(args) == 1 && args[0] == "-version" {
		version := "17.0.15"
		if mode(dir, "java") == "old" {
			version = "11.0.2"
		}
		fmt.Fprintf(os.Stderr, "openjdk version %q 2025-04-15\n", version)
		return 0
	}
	if len(args) != 1 || !strings.HasPrefix(args[0], "@") {
		fmt.Fprintln(os.Stderr, "java: expected one @file")
		return 1
	}
	argFile, err := os.ReadFile(args[0][1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	lines := strings.Split(string(argFile), "\n")
	for i, line := range lines[:len(lines)-1] {
		if line == `"--config"` {
			return broker(dir, mode(dir, "java"), readProperties(strings.Trim(lines[i+1], `"`)))
		}
	}
	fmt.Fprintln(os.Stderr, "java: no --config")
	return 1
}

// readProperties reads the lines name=value of a file.
func readProperties(path string) map[string]string {
	content, _ := os.ReadFile(path)
	properties := map[string]string{}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		properties[name] = value
	}
	return properties
}
