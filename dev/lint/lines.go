package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// limit is the longest line, in characters. A character is a Unicode code point; a tab counts as one.
const limit = 120

// A kind is what a file contains, as far as the length of its lines is concerned.
type kind int

const (
	unchecked kind = iota
	goCode
	otherCode
	markdown
)

// A finding is a line that is too long.
type finding struct {
	file   string
	line   int // 1-based
	length int // in characters
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: the line has %d characters, at most %d are allowed", f.file, f.line, f.length, limit)
}

// kindOf returns the kind of a file by its slash-separated name. Data is not checked (a test's inputs and expected
// outputs, checksums), nor are HTML templates, in which a line break may show.
func kindOf(name string) kind {
	switch path.Ext(name) {
	case ".go":
		return goCode
	case ".css", ".js", ".py", ".sh":
		return otherCode
	case ".md", ".yaml":
		if slices.Contains(strings.Split(name, "/"), "testdata") {
			return unchecked
		}
		if path.Ext(name) == ".md" {
			return markdown
		}
		return otherCode
	}
	if path.Base(name) == "Makefile" {
		return otherCode
	}
	return unchecked
}

// longLines returns the lines of a file that are too long, except those of generated Go code and those that cannot be
// broken.
func longLines(name string, kind kind, text []byte) []finding {
	if kind == goCode && isGenerated(text) {
		return nil
	}
	var found []finding
	n := 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimRight(line, "\r\n")
		if length := utf8.RuneCount(line); length > limit && !unbreakable(kind, string(line)) {
			found = append(found, finding{name, n, length})
		}
	}
	return found
}

// unbreakable reports whether a line has to be a single line: a row of a Markdown table, a directive, or a single word,
// such as a URL, also behind a comment or list marker.
func unbreakable(kind kind, line string) bool {
	line = strings.TrimSpace(line)
	switch {
	case kind == markdown && strings.HasPrefix(line, "|"):
		return true
	case kind == goCode && strings.HasPrefix(line, "//go:"):
		return true
	}
	words := strings.Fields(line)
	return len(words) == 1 || len(words) == 2 && slices.Contains([]string{"//", "#", "-"}, words[0])
}

// isGenerated reports whether Go code says that it was generated, by the convention of go help generate.
func isGenerated(text []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly|parser.ParseComments)
	return err == nil && ast.IsGenerated(file)
}
