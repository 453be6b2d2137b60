package fileset

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
)

// "go generate ./..." lists the files of all packages before it runs the first directive, and later fails on a file
// that a directive has removed. So while it runs, an orphan first becomes a placeholder: a file without declarations
// that the go command neither builds nor lists again. When go generate gets to it, the placeholder's own directive
// removes it. If go generate does not get there, because it was not asked to or has passed already, the placeholder is
// an orphan like any other, and the next run removes it.

// underGoGenerate reports whether go generate runs this process.
func underGoGenerate() bool { return os.Getenv("GOFILE") != "" && os.Getenv("GOLINE") != "" }

// keepListed turns the removal of Go files into their replacement by placeholders.
func keepListed(changes []Change) []Change {
	for i, c := range changes {
		if c.Status == Orphan && strings.HasSuffix(c.Name, Suffix) && !isPlaceholder(c.Old) {
			changes[i] = Change{Name: c.Name, Status: Stale, Old: c.Old, New: placeholder(c.Old)}
		}
	}
	return changes
}

const placeholderText = Header + `
%s
// The catalog no longer defines what this file contained. "go generate ./..." removes the file; if it does not, the
// next run of "bqgen generate" does.
//go:generate %s

//go:build ignore

package %s
`

func placeholder(old []byte) []byte {
	source := ""
	if s := sourceOf(old); s != "" {
		source = sourceMarks[0].before + s + "\n"
	}
	name := "ignored"
	if match := packageClause.FindSubmatch(old); match != nil {
		name = string(match[1])
	}
	return fmt.Appendf(nil, placeholderText, source, removeCommand(), name)
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// removeCommand is a directive that removes its own file on this machine: nobody else runs it.
func removeCommand() string {
	if runtime.GOOS == "windows" {
		return "cmd /c del $GOFILE"
	}
	return "rm ./$GOFILE"
}

// isPlaceholder reports whether the go command lists a file no more.
func isPlaceholder(content []byte) bool {
	return strings.Contains(string(withLF(content)), "\n//go:build ignore\n")
}
