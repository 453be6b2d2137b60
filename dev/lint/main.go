// Command lint reports lines of hand-written files that are longer than 120 characters. make lint runs it.
//
// Usage, in a folder of a git repository:
//
//	go run ./dev/lint
//
// It reads the files that git tracks, and new ones that git does not ignore. Each finding is printed as
// file:line: message. The exit status is 1 if there are findings and 2 if the command fails.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

func main() {
	found, err := lint(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(2)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// lint returns the findings in the files of a folder, in the order of git ls-files.
func lint(folder string) ([]finding, error) {
	names, err := listFiles(folder)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var found []finding
	for _, name := range names {
		kind := kindOf(name)
		if kind == unchecked {
			continue
		}
		text, err := root.ReadFile(name)
		if os.IsNotExist(err) {
			continue // deleted, but not in the index yet
		} else if err != nil {
			return nil, err
		}
		found = append(found, longLines(name, kind, text)...)
	}
	return found, nil
}

// listFiles returns the files that git tracks or would track, with slashes, relative to the folder.
func listFiles(folder string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = folder
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), nil
}
