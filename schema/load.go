package schema

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// Load reads and checks the catalog at path, and the files of its folder that it refers to. The error is not nil
// only when the catalog cannot be read; what is wrong with its content, or with the other files, is in the findings,
// as with [Parse].
func Load(path string) (*Catalog, Diagnostics, error) {
	src, info, err := read(os.Open(path))
	if err != nil {
		return nil, nil, fmt.Errorf("read catalog: %w", err)
	}
	l := newLoader(path)
	l.native = true
	// Without its folder the catalog can be read all the same, as long as it refers to no other file.
	if folder, err := os.OpenRoot(filepath.Dir(path)); err == nil {
		defer folder.Close()
		l.folder = folder.FS()
	}
	l.main.info = info
	c, findings := l.run(src)
	return c, findings, nil
}

// LoadFS is Load from a file system. The name is as [fs.ValidPath] wants it. Other files are looked for in the
// folder of the catalog and below.
func LoadFS(fsys fs.FS, name string) (*Catalog, Diagnostics, error) {
	src, info, err := read(fsys.Open(name))
	if err != nil {
		return nil, nil, fmt.Errorf("read catalog: %w", err)
	}
	l := newLoader(name)
	if l.folder, err = fs.Sub(fsys, path.Dir(name)); err != nil {
		return nil, nil, fmt.Errorf("read catalog: %w", err)
	}
	l.main.info = info
	c, findings := l.run(src)
	return c, findings, nil
}

func read(f fs.File, err error) ([]byte, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	// One byte more than allowed, so that Parse sees that it is too much.
	src, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	return src, info, err
}

// Parse checks the text of a catalog; filename is what positions show. It reports everything it finds in one run.
// There is a catalog unless one of the findings is an error; with warnings alone there is one. Parse reads no other
// files: use [Load] for a catalog that refers to some.
func Parse(filename string, src []byte) (*Catalog, Diagnostics) {
	return newLoader(filename).run(src)
}

func (l *loader) run(src []byte) (*Catalog, Diagnostics) {
	if text, ok := l.checkText(src); ok {
		if root := l.parseYAML(text); root != nil {
			l.load(root)
		}
	}
	if l.errors > 0 {
		return nil, NewDiagnostics(l.findings...)
	}
	return l.catalog, NewDiagnostics(l.findings...)
}

// A loader builds the catalog of one file and collects what is wrong with it. After a finding it goes on with
// what it has, without further findings that would only follow from the first.
type loader struct {
	findings []Diagnostic
	errors   int // how many of the findings are
	catalog  *Catalog

	// The file that is being parsed.
	file string
	what string // for messages
	end  mark   // of its text

	main   *file
	files  map[string]*file // by clean path in folder
	folder fs.FS            // nil: there are no other files
	native bool             // paths in positions are those of the operating system

	// What counts over all files.
	size     int // bytes
	copied   int // values that aliases stand for
	patterns int // size of the regular expressions
	merged   int // schemas that allOf stands for
	work     int // properties held against entries of allOf
	drafts   int
	stopped  bool // a limit was reported

	// What the file declares, whether or not its content is right: a reference to a thing that
	// was reported is not dangling. Nil when the section itself could not be read.
	queues      map[string]*Queue
	queuesVague bool // there may be more of them
	urns        map[string]*URN
	urnsVague   bool

	queueNames, urnNames func() *dictionary

	rootOf    map[*Type]*root
	circular  map[*Type]bool // nothing but a reference to itself, in the end
	roots     []*root        // payload schemas in the file's order: first types, then URNs, then those of other files
	refs      []*ref
	payload   []payload
	later     []func() // checks that need all URNs
	whenBuilt []func() // checks that need all schemas
	unions    []pendingUnion
	claims    []claim
	vague     map[*Schema]bool // properties are not all known
	unsure    map[*Schema]bool // something was reported, in it or further inside
	reported  map[*node]bool   // values that are not to be reported again
}

func newLoader(name string) *loader {
	main := &file{name: name, path: path.Base(filepath.ToSlash(name)), main: true, sections: map[string]*section{}}
	return &loader{
		file: name, what: "the catalog", main: main, files: map[string]*file{main.path: main}, catalog: &Catalog{File: name, places: newPlaces()},
		rootOf: map[*Type]*root{}, circular: map[*Type]bool{}, vague: map[*Schema]bool{}, unsure: map[*Schema]bool{}, reported: map[*node]bool{},
	}
}

func (l *loader) report(pos Pos, rule, hint, format string, args ...any) {
	l.errors++
	l.findings = append(l.findings, Diagnostic{Pos: pos, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (l *loader) warn(pos Pos, rule, hint, format string, args ...any) {
	l.findings = append(l.findings, Diagnostic{Pos: pos, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint, Severity: Warning})
}

// load reads the sections in the order in which they need each other.
func (l *loader) load(top *node) {
	required, optional := keysOf("bqgen", "package", "queues", "urns"), keysOf("info", "types", "lint")
	m, ok := l.mapping(top, "the catalog", required, optional)
	if !ok {
		return
	}
	l.main.top, l.main.vague = m, m.hasOther(append(required, optional...))
	if n := m.get("bqgen"); n != nil {
		l.version(n)
	}
	if n := m.get("package"); n != nil {
		l.packageName(n)
	}
	if n := m.get("info"); n != nil {
		l.info(n)
	}
	if n := m.get("lint"); n != nil {
		l.loadLint(n)
	}
	if n := m.get("queues"); n != nil {
		l.loadQueues(n)
	}
	l.loadTypes()
	if n := m.get("urns"); n != nil {
		l.loadURNs(n)
	}
	l.resolveRefs()
	for _, r := range l.roots {
		l.buildRoot(r)
	}
	l.checkCycles()
	for _, u := range l.unions {
		l.tellApart(u)
	}
	for _, check := range l.whenBuilt {
		check()
	}
	l.checkFinite()
	l.checkTypeNames()
	for _, check := range l.later {
		check()
	}
	l.checkPayloads()
}

func (l *loader) version(n *node) {
	switch {
	case n.kind == badNode:
	case n.kind != scalarNode || !n.plain && n.text != "1":
		l.report(n.pos, ruleWrongType, "bqgen: 1", "bqgen must be the format version 1, this is %s", n.describe())
	case !n.plain:
		l.report(n.pos, ruleWrongType, "remove the quotes", "bqgen must be the number 1, this is %s", n.describe())
	case n.text != "1":
		l.report(n.pos, ruleVersion, "this bqgen knows format 1 only", "catalog format %s is not supported", quote(n.text))
	}
}

func (l *loader) info(n *node) {
	m, ok := l.mapping(n, "info", nil, keysOf("title", "owner", "description"))
	if !ok {
		return
	}
	l.catalog.Info = Info{
		Title:       l.optionalText(m, "title"),
		Owner:       l.optionalText(m, "owner"),
		Description: l.optionalText(m, "description"),
	}
}
