package source

import (
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// A File names a file of a catalog.
type File struct {
	Name string // in positions
	What string // in messages: the catalog, the file
	Main bool   // it is the catalog itself
	Data bool   // it is the payload of a message: of any size, with any character that JSON allows
}

// A Reader reads the files of one catalog. It is the first stage: bytes in, nodes out.
type Reader struct {
	Reporter

	// Ignores are the comments that silence lint rules, of all files that were read.
	Ignores []schema.Ignore
	// Places knows the keys of all files that were read.
	Places *Places
	// LongestKey is how many characters a key may have. 0 means any number.
	LongestKey int

	size   int // bytes of all files
	copied int // values that aliases stand for, in all files
}

// NewReader returns a Reader that reports to r.
func NewReader(r Reporter) *Reader { return &Reader{Reporter: r, Places: newPlaces()} }

// Read reads a file, as JSON if its name says so and else as YAML. It returns nil when there is nothing to go on with.
func (r *Reader) Read(f File, src []byte) *Node {
	if strings.HasSuffix(strings.ToLower(f.Name), ".json") {
		return r.ReadJSON(f, src)
	}
	p := &parser{Reporter: r.Reporter, reader: r, file: f}
	checked, ok := p.checkText(src)
	if !ok {
		return nil
	}
	root := p.parse(checked)
	if root == nil {
		return nil
	}
	r.Places.add(root, checked)
	r.Ignores = append(r.Ignores, ignoresIn(f, checked)...)
	return root
}

// A parser reads one file.
type parser struct {
	Reporter
	reader *Reader
	file   File
	end    mark // of the text
}

func (p *parser) start() schema.Pos { return schema.Pos{File: p.file.Name, Line: 1, Column: 1} }
