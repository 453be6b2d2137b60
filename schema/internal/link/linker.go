package link

import (
	"io/fs"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// The names of sections.
const (
	typesSection = "types"
	defsSection  = "$defs"
)

// A Linker follows references. Its input are the references that a draft.Reader met; its output is where they lead.
type Linker struct {
	source.Reporter
	Source *source.Reader
	Drafts *draft.Reader
	Near   *near.Finder
	// Folder is the folder of the catalog. It may be nil: then no other file can be referred to.
	Folder fs.FS
	// NameOf returns what positions show of another file.
	NameOf func(path string) string
	// Types are the types of other files that were read, in the order in which they were referred to.
	Types []*schema.Type

	files map[string]*file // by clean path in the folder
	alike map[looks][]*file
	names map[*draft.Section]*near.Lazy
}

// A file is the catalog or another file of its folder.
type file struct {
	path string // in the folder, clean and with slashes
	main bool   // it is the catalog
	info fs.FileInfo
	top  *source.Node // nil when it could not be read
	// doubt is Partial when the file has unknown keys, one of which may have been meant for a section.
	doubt trust.Doubt
	// sections by name. The types of a file other than the catalog are drafted when something refers to them.
	sections map[string]*draft.Section
	whole    *draft.Root // the file as one schema; nil until something refers to it
}

// SetCatalog sets the catalog itself: its path in the folder, and its information when it is a file.
func (l *Linker) SetCatalog(path string, info fs.FileInfo) {
	l.names = map[*draft.Section]*near.Lazy{}
	f := &file{path: path, main: true, info: info, sections: map[string]*draft.Section{}}
	l.files, l.alike = map[string]*file{path: f}, map[looks][]*file{}
	if info != nil {
		l.alike[looksOf(info)] = []*file{f}
	}
}

// CatalogTypes returns the section of the shared types of the catalog, whose content is m. It is nil when it cannot be
// read. The doubt is Partial when the catalog has unknown keys, one of which may have been meant for the section.
func (l *Linker) CatalogTypes(path string, m *source.Node, doubt trust.Doubt) *draft.Section {
	f := l.files[path]
	f.top, f.doubt = m, doubt
	return l.section(f, typesSection)
}

// Link follows every reference. Those of other files come to light on the way.
func (l *Linker) Link() {
	for i := 0; i < len(l.Drafts.Refs); i++ {
		r := l.Drafts.Refs[i]
		if r.To = l.follow(r); r.To == nil {
			r.From.Doubt |= trust.Inside
			continue
		}
		refs := refsOf(r.From)
		*refs = append(*refs, r.To.Type)
	}
}

// refsOf returns the list of types that a root refers to.
func refsOf(r *draft.Root) *[]*schema.Type {
	if r.Type == nil {
		return &r.Scope.Owner.Refs
	}
	return &r.Type.Refs
}
