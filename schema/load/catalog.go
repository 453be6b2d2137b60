package load

import (
	"io/fs"
	"path"
	"path/filepath"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/judge"
	"github.com/babelqueue/bqgen/schema/internal/link"
	"github.com/babelqueue/bqgen/schema/internal/merge"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A loader holds the stages of one run.
type loader struct {
	source.Expect
	findings *source.Findings
	near     *near.Finder
	source   *source.Reader
	drafts   *draft.Reader
	linker   *link.Linker
	file     source.File
	path     string // of the catalog in its folder
	catalog  *schema.Catalog

	serviceCount serviceCount
}

func newLoader(name string, info fs.FileInfo) *loader {
	findings := &source.Findings{}
	l := &loader{
		Expect:   source.Expect{Reporter: findings},
		findings: findings, near: &near.Finder{},
		source: source.NewReader(findings), drafts: draft.NewReader(findings),
		file:    source.File{Name: name, What: "the catalog", Main: true},
		path:    path.Base(filepath.ToSlash(name)),
		catalog: &schema.Catalog{File: name},

		serviceCount: serviceCount{names: map[string]bool{}},
	}
	l.source.LongestKey = longestKey
	l.linker = &link.Linker{
		Reporter: findings, Source: l.source, Drafts: l.drafts, Near: l.near,
		NameOf: func(clean string) string { return path.Join(path.Dir(name), clean) },
	}
	l.linker.SetCatalog(l.path, info)
	return l
}

func (l *loader) run(src []byte) (*schema.Catalog, schema.Diagnostics) {
	if top := l.source.Read(l.file, src); top != nil {
		l.load(top)
	}
	findings := l.findings.Diagnostics(l.source.Places)
	if l.Errors() > 0 {
		return nil, findings
	}
	l.catalog.Ignores = l.source.Ignores
	l.catalog.Places = l.source.Places
	return l.catalog, findings
}

// catalogKeys are the top-level keys.
var catalogKeys = source.Keys{
	Required: []source.RequiredKey{
		{Name: "bqgen", Hint: "bqgen: 1"},
		{Name: "package", Hint: "package: NAME, the Go package of the generated code"},
		{Name: "queues", Hint: "queues: {NAME: {}}"},
		{Name: "urns", Hint: "urns: {URN: {queue: NAME, data: {type: object}}}"},
	},
	Optional: []string{"info", "types", "lint"},
}

// load reads the sections in the order in which they need each other, and runs the stages.
func (l *loader) load(top *source.Node) {
	m, ok := l.Mapping(top, "the catalog", catalogKeys)
	if !ok {
		return
	}
	if n := m.Get("bqgen"); n != nil {
		l.FormatVersion(n)
	}
	if n := m.Get("package"); n != nil {
		l.packageName(n)
	}
	if n := m.Get("info"); n != nil {
		l.info(n)
	}
	if n := m.Get("lint"); n != nil {
		l.lint(n)
	}
	queues := &queueSet{}
	if n := m.Get("queues"); n != nil {
		queues = l.queues(n)
	}
	l.types(m)
	urns, before := &urnSet{}, l.Errors()
	if n := m.Get("urns"); n != nil {
		urns = l.urns(n, queues)
	}
	l.checkServiceTopics()
	l.assignURNs(urns, l.Errors() == before)
	l.linker.Link()
	l.catalog.Types = append(l.catalog.Types, l.linker.Types...)
	merged := merge.Merge(l, l.near, l.drafts)
	l.checkSuccessors(urns)
	l.checkPayloads(urns, merged)
	l.judge(urns, merged)
}

// types drafts the shared types of the catalog, in its order.
func (l *loader) types(m *source.Node) {
	var doubt trust.Doubt
	if m.HasOther(catalogKeys.Names()) {
		doubt = trust.Partial // an unknown key may have been meant for types
	}
	s := l.linker.CatalogTypes(l.path, m, doubt)
	if s == nil || s.Node == nil {
		return
	}
	for _, p := range s.Node.Pairs {
		root := l.drafts.NamedType(s, p, &draft.Scope{File: l.path})
		l.catalog.Types = append(l.catalog.Types, root.Type)
	}
}

// judge validates the values of the catalog.
func (l *loader) judge(urns *urnSet, merged *merge.Result) {
	j := judge.New(l, l.drafts.Roots, merged)
	j.Claims(schema.Pos{File: l.file.Name, Line: 1, Column: 1})
	for _, p := range urns.payloads {
		if p.root != nil && p.examples != nil {
			l.examples(p, j)
		}
	}
}
