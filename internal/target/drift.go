package target

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// A Drift is how the folder differs from the generated code. Line ends do not count: they may come from a checkout.
type Drift struct {
	target  *Target
	dir     string
	changes []fileset.Change
}

// Drift compares the folder with the generated code.
func (t *Target) Drift(c *Code) (*Drift, error) {
	changes, err := fileset.Compare(c.Dir, c.Files)
	if err != nil {
		return nil, err
	}
	d := &Drift{target: t, dir: c.Dir}
	for _, change := range changes {
		if !change.LineEnds {
			d.changes = append(d.changes, change)
		}
	}
	return d, nil
}

// Text describes the drift for people: a unified diff of each file that differs, and the names of files that are
// missing or orphaned. It is empty without a drift. Control characters in names and contents are escaped.
func (d *Drift) Text() []byte {
	if len(d.changes) == 0 {
		return nil
	}
	var out bytes.Buffer
	for i, c := range d.changes {
		if out.Len() > maxText {
			fmt.Fprintf(&out, "%s more\n", text.Count(len(d.changes)-i, "file"))
			break
		}
		path := text.Escape(filepath.ToSlash(filepath.Join(d.dir, c.Name)))
		switch c.Status {
		case fileset.Missing:
			fmt.Fprintf(&out, "missing: %s\n", path)
		case fileset.Orphan:
			fmt.Fprintf(&out, "orphan: %s\n", path)
		default:
			writeStart(&out, text.EscapeLines(string(c.Diff(d.dir))))
		}
	}
	fmt.Fprintf(&out, "%s is not what bqgen generates from %s: run %s\n", text.Escape(filepath.ToSlash(d.dir)),
		text.Escape(filepath.ToSlash(d.target.Catalog)), text.Escape(d.target.Command()))
	return out.Bytes()
}

// maxText is about the size of the largest description in bytes. A catalog of a megabyte can have tens of thousands of
// files.
const maxText = 1 << 20

// writeStart writes text up to a limit.
func writeStart(out *bytes.Buffer, s string) {
	if len(s) <= maxText {
		out.WriteString(s)
		return
	}
	end := strings.LastIndexByte(s[:maxText], '\n') + 1
	fmt.Fprintf(out, "%s... (%d bytes in all)\n", s[:end], len(s))
}

// Findings describes the drift for tools: a finding for each file.
func (d *Drift) Findings() schema.Diagnostics {
	var findings []schema.Diagnostic
	for _, c := range d.changes {
		f := schema.Diagnostic{
			Pos:  schema.Pos{File: filepath.Join(d.dir, c.Name), Line: 1, Column: 1},
			Rule: "generated-code", Hint: "run " + d.target.Command(),
		}
		switch c.Status {
		case fileset.Missing:
			f.Pos.File = d.target.Catalog // a file that exists
			f.Message = "the generated file " + text.Quote(c.Name) + " is missing"
		case fileset.Orphan:
			f.Message = "the generated file is no longer needed"
		default:
			f.Message = "the file is not what bqgen generates from here on"
			f.Pos.Line, _ = FirstDifference(c.Old, c.New)
		}
		findings = append(findings, f)
	}
	return schema.NewDiagnostics(findings...)
}

// FirstDifference returns the first line in which a text differs from the wanted one, apart from its line ends.
func FirstDifference(text, wanted []byte) (line int, differs bool) {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if bytes.Equal(text, wanted) {
		return 0, false
	}
	n := 0
	for n < min(len(text), len(wanted)) && text[n] == wanted[n] {
		n++
	}
	return 1 + bytes.Count(text[:n], []byte("\n")), true
}
