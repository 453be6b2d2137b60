package merge

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A Merger makes the schemas of all roots of a catalog.
type Merger struct {
	source.Reporter
	near    *near.Finder
	drafts  *draft.Reader
	result  *Result
	states  map[*draft.Root]buildState
	rootOf  map[*schema.Type]*draft.Root
	outlook *outlook
	built   []bool // by the ID of a draft: a schema was made of it

	// What waits until all schemas are made.
	unions []pendingUnion

	triedUnions []pendingTried
	nullables   []pendingNullable

	budget budget
}

// A Result is what merging found out besides the schemas themselves, which are in the roots.
type Result struct {
	Claims []Claim
	// Doubts are about schemas that were reported, or something inside them.
	Doubts map[*schema.Schema]trust.Doubt
}

// A Claim is a value that the catalog calls valid, and the schema that it must obey.
type Claim struct {
	Root   *draft.Root
	Schema *schema.Schema
	Value  draft.Value
}

// Merge makes the schema of every root that was drafted, and checks them. All references have been followed.
func Merge(r source.Reporter, n *near.Finder, drafts *draft.Reader) *Result {
	roots := drafts.Roots
	m := &Merger{
		Reporter: r, near: n, drafts: drafts, outlook: newOutlook(),
		result: &Result{Doubts: map[*schema.Schema]trust.Doubt{}},
		states: make(map[*draft.Root]buildState, len(roots)), rootOf: make(map[*schema.Type]*draft.Root, len(roots)),
		built: make([]bool, drafts.Drafts()+1), budget: budget{sizes: map[*draft.Draft]int{}, ruled: map[*draft.Draft]bool{}},
	}
	for _, root := range roots {
		if root.Type != nil {
			m.rootOf[root.Type] = root
		}
	}
	for _, root := range roots {
		m.buildRoot(root)
	}
	m.checkTried(roots)
	m.checkCycles(roots)
	for _, u := range m.unions {
		m.tellApart(u)
	}
	for _, n := range m.nullables {
		m.checkTargetNull(n)
	}
	m.checkFinite(roots)
	m.checkTypeNames(roots)
	return m.result
}

type buildState int

const (
	unbuilt buildState = iota
	building
	built
)

// buildRoot makes the schema of a root, once. It makes those that it writes out before.
func (m *Merger) buildRoot(r *draft.Root) {
	if m.states[r] != unbuilt {
		return
	}
	m.states[r] = building
	b := &builder{Merger: m, root: r, path: map[string]bool{}}
	r.Schema = b.build([]*draft.Draft{r.Draft}, schema.Pos{})
	if r.Type != nil {
		r.Type.Schema = r.Schema
	}
	m.states[r] = built
}

const (
	// maxMerged is the number of schemas that all allOf of a catalog may stand for.
	maxMerged = 100_000
	// maxWork is how often a property may be compared with an entry of an allOf, in all.
	maxWork = 10_000_000
	// maxCopied is the number of values, such as those of an enum, in the types that all allOf refer to. A long text
	// counts as several.
	maxCopied = 250_000
)

// A budget limits what merging may cost. The first limit that is exceeded is reported, once for a catalog.
type budget struct {
	merged   int                   // schemas that allOf stands for
	work     int                   // comparisons of properties with entries of allOf
	copied   int                   // values of the types that allOf refers to
	sizes    map[*draft.Draft]int  // number of values that are copied
	ruled    map[*draft.Draft]bool // those of which a rule was written
	exceeded bool
}
