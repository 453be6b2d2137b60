package schema

import (
	"fmt"
	"io"
	"os"
)

// Load reads and checks the catalog at path. The error is not nil only when the file cannot be read; what
// is wrong with its content is in the findings, as with [Parse].
func Load(path string) (*Catalog, Diagnostics, error) {
	src, err := read(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read catalog: %w", err)
	}
	c, findings := Parse(path, src)
	return c, findings, nil
}

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One byte more than allowed, so that Parse sees that it is too much.
	return io.ReadAll(io.LimitReader(f, maxSource+1))
}

// Parse checks the text of a catalog; filename is what positions show. It reports everything it finds in
// one run, and either a catalog or findings, never both and never neither.
func Parse(filename string, src []byte) (*Catalog, Diagnostics) {
	l := newLoader(filename)
	if text, ok := l.checkText(src); ok {
		if root := l.parseYAML(text); root != nil {
			l.load(root)
		}
	}
	if len(l.findings) > 0 {
		return nil, NewDiagnostics(l.findings...)
	}
	return l.catalog, nil
}

// A loader builds the catalog of one file and collects what is wrong with it. After a finding it goes on with
// what it has, without further findings that would only follow from the first.
type loader struct {
	file     string
	findings []Diagnostic
	catalog  *Catalog
	end      mark // of the text

	// What the file declares, whether or not its content is right: a reference to a thing that
	// was reported is not dangling. Nil when the section itself could not be read.
	queues map[string]*Queue
	types  map[string]*root
	urns   map[string]*URN

	queueNames, urnNames func() *dictionary

	roots    []*root // payload schemas in the file's order: first types, then URNs
	refs     []*ref
	payload  []payload
	later    []func()         // checks that need all URNs
	vague    map[*Schema]bool // objects whose properties are not all known
	reported map[*node]bool   // values in examples that are not to be reported again
}

func newLoader(file string) *loader {
	return &loader{file: file, catalog: &Catalog{File: file, places: newPlaces()}, vague: map[*Schema]bool{}, reported: map[*node]bool{}}
}

func (l *loader) report(pos Pos, rule, hint, format string, args ...any) {
	l.findings = append(l.findings, Diagnostic{Pos: pos, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// load reads the sections in the order in which they need each other.
func (l *loader) load(top *node) {
	m, ok := l.mapping(top, "the catalog", keysOf("bqgen", "package", "queues", "urns"), keysOf("info", "types", "lint"))
	if !ok {
		return
	}
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
	if n := m.get("types"); n != nil {
		l.loadTypes(n)
	} else {
		l.types = map[string]*root{}
	}
	if n := m.get("urns"); n != nil {
		l.loadURNs(n)
	}
	l.resolveRefs()
	l.checkCycles()
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
