package schema

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A file is the catalog or another file of its folder.
type file struct {
	name string // in positions
	path string // in the folder, clean and with slashes
	main bool   // the catalog
	info fs.FileInfo
	top  *node // nil when it could not be read
	// vague: it has keys that it should not have, one of which may have been meant for a section.
	vague bool
	// sections by name. Of other files than the catalog a type is read when something refers to it.
	sections map[string]*section
}

// A section holds named schemas: types or $defs.
type section struct {
	file   *file
	defs   bool  // it is $defs, else types
	node   *node // nil when there is nothing in it
	flawed bool  // not all of it could be read
	roots  map[string]*root
	names  func() *dictionary
}

func newSection(f *file, name string, n *node) *section {
	s := &section{file: f, defs: name == defsSection, node: n, roots: map[string]*root{}}
	var pairs []pair
	if n != nil {
		s.flawed, pairs = n.flawed, n.pairs
	}
	s.names = lazyDictionary(pairs, func(p pair) string { return p.key.text })
	return s
}

func (s *section) declares(name string) bool {
	return s.roots[name] != nil || s.node != nil && s.node.get(name) != nil
}

// lookup finds a type, and reads it when that was not done before.
func (s *section) lookup(l *loader, name string) *root {
	if r := s.roots[name]; r != nil || s.node == nil || s.file.main {
		return r
	}
	for _, p := range s.node.pairs {
		if p.key.text == name {
			return l.namedType(s, p, &scope{file: s.file})
		}
	}
	return nil
}

// namedType reads a type of a section.
func (l *loader) namedType(s *section, p pair, in *scope) *root {
	t := &Type{Name: p.key.text, Pos: p.key.pos, Owner: in.owner}
	l.notBlank(t.Pos, t.Name, "the name of a type")
	r := &root{typ: t, scope: in}
	l.rootOf[t] = r
	s.roots[t.Name] = r // before what is in it: it may refer to itself
	if in.owner != nil {
		in.owner.Defs = append(in.owner.Defs, t)
	} else {
		l.catalog.Types = append(l.catalog.Types, t)
	}
	l.readRoot(r, p.value, "type "+quote(t.Name), atNamedType)
	return r
}

// section gives a section of a file; nil when it was reported.
func (l *loader) section(f *file, name string) *section {
	if s, read := f.sections[name]; read {
		return s
	}
	var n *node
	if f.top != nil {
		n = f.top.get(name)
	}
	f.sections[name] = nil
	if f.top == nil || n != nil && !l.isMapping(n, name) {
		return nil
	}
	s := newSection(f, name, n)
	s.flawed = s.flawed || n == nil && f.vague
	f.sections[name] = s
	return s
}

// otherFile opens the file that a $ref names, once. It is nil after a finding; what is wrong with a file is
// reported once.
func (l *loader) otherFile(r *ref, clean string) *file {
	if f := l.files[clean]; f != nil {
		if f.top == nil && !f.main {
			return nil
		}
		return f
	}
	f := &file{path: clean, name: l.nameOf(clean), sections: map[string]*section{}}
	l.files[clean] = f
	src, same, fault := l.readOther(f)
	switch {
	case same != nil:
		l.files[clean] = same
		return same
	case fault != "":
		l.report(r.pos, ruleRefFile, fileHint(fault), "$ref %s: %s", quote(r.text), fault)
		return nil
	}
	l.parseOther(f, src)
	if f.top == nil {
		return nil
	}
	return f
}

const (
	noFolder   = "other files are read only when the catalog is read from a folder"
	noSuchFile = "there is no such file"
)

func fileHint(fault string) string {
	if fault == noSuchFile {
		return "the path is relative to the file that has the $ref, and upper and lower case count"
	}
	return "refer to an ordinary file beside the catalog"
}

// readOther reads a file, unless it is one that is known by another name. The folder lets no path out of it,
// by symbolic links neither.
func (l *loader) readOther(f *file) (src []byte, same *file, fault string) {
	if l.folder == nil {
		return nil, nil, noFolder
	}
	if !fs.ValidPath(f.path) {
		return nil, nil, "it is no path of a file"
	}
	info, err := fs.Stat(l.folder, f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, noSuchFile
	case err != nil:
		return nil, nil, reasonOf(err)
	case !info.Mode().IsRegular():
		return nil, nil, "it is not an ordinary file"
	}
	for _, known := range l.files {
		if known.info != nil && os.SameFile(known.info, info) {
			return nil, known, ""
		}
	}
	f.info = info
	opened, err := l.folder.Open(f.path)
	if err != nil {
		return nil, nil, reasonOf(err)
	}
	defer opened.Close()
	if src, err = io.ReadAll(io.LimitReader(opened, maxSource+1)); err != nil {
		return nil, nil, reasonOf(err)
	}
	return src, nil, ""
}

// reasonOf is the cause of an error without the path, which the message has.
func reasonOf(err error) string {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return strings.TrimSuffix(strings.Trim(quote(err.Error()), `"`), ".")
}

// parseOther parses another file and checks its shape. It may be a catalog, of which the types count, or a plain
// JSON Schema with $defs.
func (l *loader) parseOther(f *file, src []byte) {
	file, what, end := l.file, l.what, l.end
	l.file, l.what = f.name, "the file"
	defer func() { l.file, l.what, l.end = file, what, end }()
	text, ok := l.checkText(src)
	if !ok {
		return
	}
	top := l.parseYAML(text)
	if top == nil {
		return
	}
	keys := keysOf(typesSection, defsSection, "bqgen", "package", "info", "lint", "queues", "urns", "title", "description", "$schema", "$id", "$comment")
	m, ok := l.mapping(top, "the file", nil, keys)
	if !ok {
		return
	}
	f.vague = m.hasOther(keys)
	if n := m.get("bqgen"); n != nil {
		l.version(n)
	}
	f.top = m
}

// nameOf is what positions show of another file: its path as seen from where the catalog was named.
func (l *loader) nameOf(clean string) string {
	if l.native {
		return filepath.Join(filepath.Dir(l.file), filepath.FromSlash(clean))
	}
	return path.Join(path.Dir(l.file), clean)
}
