package source

import "github.com/babelqueue/bqgen/schema"

// A File names a file of a catalog.
type File struct {
	Name string // in positions
	What string // in messages: the catalog, the file
	Main bool   // it is the catalog itself
}

// A Reader reads the files of one catalog. It is the first stage: bytes in, nodes out.
type Reader struct {
	Reporter

	// Ignores are the comments that silence lint rules, of all files that were read.
	Ignores []schema.Ignore
	// Places knows the keys of all files that were read.
	Places *Places

	size   int // bytes of all files
	copied int // values that aliases stand for, in all files
}

// NewReader returns a Reader that reports to r.
func NewReader(r Reporter) *Reader { return &Reader{Reporter: r, Places: newPlaces()} }

// Read reads a file. It returns nil when there is nothing to go on with.
func (r *Reader) Read(f File, src []byte) *Node {
	p := &parser{Reporter: r.Reporter, reader: r, file: f}
	checked, ok := p.checkText(src)
	if !ok {
		return nil
	}
	if f.isJSON() {
		root := p.parseJSON(checked)
		if root != nil {
			r.Places.add(root, checked)
		}
		return root
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
