package link

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// section returns a section of a file, or nil when it was reported.
func (l *Linker) section(f *file, name string) *draft.Section {
	if s, known := f.sections[name]; known {
		return s
	}
	var n *source.Node
	if f.top != nil {
		n = f.top.Get(name)
	}
	f.sections[name] = nil
	expect := source.Expect{Reporter: l.Reporter}
	if f.top == nil || n != nil && !expect.IsMapping(n, name) {
		return nil
	}
	s := draft.NewSection(name == defsSection, n)
	if n == nil {
		s.Doubt = f.doubt
	}
	f.sections[name] = s
	return s
}

// lookup returns a schema of a section, or nil. It drafts that of another file when it was not drafted before.
func (l *Linker) lookup(f *file, s *draft.Section, name string) *draft.Root {
	if r := s.Roots[name]; r != nil || s.Node == nil || f.main {
		return r
	}
	for _, p := range s.Node.Pairs {
		if p.Key.Text == name {
			root := l.Drafts.NamedType(s, p, &draft.Scope{File: f.path})
			l.Types = append(l.Types, root.Type)
			return root
		}
	}
	return nil
}

// open returns the file that a $ref names. It is nil after a finding. What is wrong with a file is reported once.
func (l *Linker) open(r *draft.Ref, path string) *file {
	if f := l.files[path]; f != nil {
		if f.top == nil && !f.main {
			return nil
		}
		return f
	}
	if len(l.files) > maxFiles {
		return nil // reported before
	}
	f := &file{path: path, sections: map[string]*draft.Section{}}
	l.files[path] = f
	if len(l.files) > maxFiles {
		l.Report(r.Pos, schema.RuleTooLarge, "put several schemas into one file, under $defs",
			"the catalog has more than %d files", maxFiles)
		return nil
	}
	src, same, fault := l.read(f)
	switch {
	case same != nil:
		l.files[path] = same
		return same
	case fault != "":
		l.Report(r.Pos, schema.RuleRefFile, fileHint(fault), "$ref %s: %s", text.QuoteReference(r.Text), fault)
		return nil
	}
	l.parse(f, src)
	if f.top == nil {
		return nil
	}
	return f
}

// maxFiles is the number of files of a catalog, the catalog itself included.
const maxFiles = 10_000

const (
	noFolder   = "other files are read only when the catalog is read from a folder"
	noSuchFile = "there is no such file"
)

func fileHint(fault string) string {
	if fault == noSuchFile {
		return "the path is relative to the file that has the $ref, and upper and lower case count"
	}
	return "refer to an ordinary file next to the catalog"
}

// read reads a file, unless it is known under another name. No path leads out of the folder, not even through symbolic
// links.
func (l *Linker) read(f *file) (src []byte, same *file, fault string) {
	if l.Folder == nil {
		return nil, nil, noFolder
	}
	if !fs.ValidPath(f.path) {
		return nil, nil, "it is no path of a file"
	}
	info, err := fs.Stat(l.Folder, f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, noSuchFile
	case err != nil:
		return nil, nil, reasonOf(err)
	case !info.Mode().IsRegular():
		return nil, nil, "it is not an ordinary file"
	}
	like := looksOf(info)
	for _, known := range l.alike[like] {
		if os.SameFile(known.info, info) {
			return nil, known, ""
		}
	}
	f.info = info
	l.alike[like] = append(l.alike[like], f)
	opened, err := l.Folder.Open(f.path)
	if err != nil {
		return nil, nil, reasonOf(err)
	}
	defer opened.Close()
	if src, err = io.ReadAll(io.LimitReader(opened, source.MaxSource+1)); err != nil {
		return nil, nil, reasonOf(err)
	}
	return src, nil, ""
}

// looks are what all names of a file have in common, and few other files.
type looks struct {
	size     int64
	modified int64
}

func looksOf(info fs.FileInfo) looks { return looks{info.Size(), info.ModTime().UnixNano()} }

// reasonOf returns the cause of an error without the path, which the message has.
func reasonOf(err error) string {
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return strings.TrimSuffix(strings.Trim(text.Quote(err.Error()), `"`), ".")
}

// catalogKeys are the keys of another file that is a catalog, or only the types of one.
var catalogKeys = source.Keys{Optional: []string{
	typesSection, defsSection, "bqgen", "package", "info", "lint", "queues", "urns",
	"title", "description", "$schema", "$id", "$comment",
}}

// isCatalog reports whether a file is a catalog. Any other is a JSON Schema, of which only what a $ref leads to counts.
func isCatalog(top *source.Node) bool {
	return top.Get("bqgen") != nil || top.Get(typesSection) != nil || top.Get("urns") != nil
}

// whole returns the schema that a file is as a whole, or nil after a finding. It is named after the file.
func (l *Linker) whole(r *draft.Ref, f *file) *draft.Root {
	switch {
	case f.main || f.top == nil || isCatalog(f.top):
		l.Report(r.Pos, schema.RuleBadRef, fragmentHint(f, f.path, ""),
			"$ref %s does not refer to a named schema", text.QuoteReference(r.Text))
		return nil
	case f.whole == nil:
		name, _, _ := strings.Cut(path.Base(f.path), ".")
		if name == "" {
			name = path.Base(f.path)
		}
		f.whole = l.Drafts.File(name, f.top, &draft.Scope{File: f.path})
		l.Types = append(l.Types, f.whole.Type)
	}
	return f.whole
}

// parse reads another file and checks its shape.
func (l *Linker) parse(f *file, src []byte) {
	top := l.Source.Read(source.File{Name: l.NameOf(f.path), What: "the file"}, src)
	if top == nil {
		return
	}
	expect := source.Expect{Reporter: l.Reporter}
	if !expect.IsMapping(top, "the file") {
		return
	}
	if isCatalog(top) {
		expect.Mapping(top, "the file", catalogKeys)
		if top.HasOther(catalogKeys.Optional) {
			f.doubt = trust.Partial
		}
	}
	if n := top.Get("bqgen"); n != nil {
		expect.FormatVersion(n)
	}
	f.top = top
}
