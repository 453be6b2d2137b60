package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the root of the repository.
const root = "../.."

// A document is a Markdown file of the repository.
type document struct {
	name  string // relative to the root, with slashes
	lines []string
}

// documents returns README.md, the other Markdown files of the root, and those in docs/.
func documents(t *testing.T) []document {
	t.Helper()
	var all []document
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, readDocument(t, filepath.ToSlash(name)))
		}
	}
	if len(all) < 5 {
		t.Fatalf("%d documents found", len(all))
	}
	return all
}

func readDocument(t *testing.T, name string) document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return document{name, strings.Split(string(text), "\n")}
}

// A block is fenced code.
type block struct {
	language string
	line     int // of its first line of code, 1-based
	text     string
	setup    string // the HTML comment right before it; "" for none
}

// blocks returns the fenced code of a document.
func (d document) blocks() []block {
	var all []block
	var setup []string
	var fenced *block
	inSetup := false
	for i, line := range d.lines {
		switch {
		case fenced != nil && strings.HasPrefix(line, "```"):
			all = append(all, *fenced)
			fenced, setup = nil, nil
		case fenced != nil:
			fenced.text += line + "\n"
		case inSetup && line == "-->":
			inSetup = false
		case inSetup:
			setup = append(setup, line)
		case line == "<!-- setup":
			inSetup, setup = true, nil
		case strings.HasPrefix(line, "```"):
			fenced = &block{language: line[3:], line: i + 2, setup: strings.Join(setup, "\n")}
		case line != "":
			setup = nil // it was not right before the code
		}
	}
	return all
}

// A row is a row of a table.
type row struct {
	line  int // 1-based
	cells []string
}

// table returns the rows of the first table whose first column has that heading.
func (d document) table(t *testing.T, heading string) []row {
	t.Helper()
	var rows []row
	found := false
	for i, line := range d.lines {
		isRow := strings.HasPrefix(line, "|")
		switch {
		case !found && isRow && strings.TrimSpace(strings.Split(line, "|")[1]) == heading:
			found = true
		case found && !isRow:
			return rows
		case found && !strings.HasPrefix(line, "|---"):
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, row{i + 1, cells})
		}
	}
	if !found {
		t.Fatalf("%s has no table whose first column is %q", d.name, heading)
	}
	return rows
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// spans returns the code spans of a line of Markdown.
func spans(line string) []string {
	var all []string
	for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
		all = append(all, m[1])
	}
	return all
}

// A fragment is a line of code or a code span.
type fragment struct {
	line int // 1-based
	text string
}

// code returns all code of a document: fenced and indented lines, and code spans.
func (d document) code() []fragment {
	var all []fragment
	fenced := false
	for i, line := range d.lines {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced || strings.HasPrefix(line, "    "):
			all = append(all, fragment{i + 1, line})
		default:
			for _, span := range spans(line) {
				all = append(all, fragment{i + 1, span})
			}
		}
	}
	return all
}
