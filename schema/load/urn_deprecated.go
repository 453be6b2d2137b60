package load

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A successor is the URN that replaces a deprecated one. It may be declared further down.
type successor struct {
	of   *schema.URN
	name string
	pos  schema.Pos
}

// deprecated reads deprecated of a URN: use and reason.
func (l *loader) deprecated(set *urnSet, u *schema.URN, n *source.Node) {
	m, ok := l.Mapping(n, "deprecated", source.Keys{Optional: []string{"use", "reason"}})
	if !ok {
		return
	}
	u.Deprecated = &schema.Deprecation{Pos: n.Pos, Reason: l.OptionalText(m, "reason")}
	if use := m.Get("use"); use != nil {
		if name, ok := l.Name(use, "use"); ok {
			set.successors = append(set.successors, successor{u, name, use.Pos})
		}
	}
}

// checkSuccessors finds the successors of deprecated URNs.
func (l *loader) checkSuccessors(urns *urnSet) {
	names := l.urnNames()
	for _, s := range urns.successors {
		next := urns.byName[s.name]
		switch {
		case next == s.of:
			l.Report(s.pos, schema.RuleSuccessor, "", "URN %s is its own successor", text.Quote(s.name))
		case next == nil && urns.doubt.MayMiss():
			l.Report(s.pos, schema.RuleSuccessor, names.DidYouMean(s.name, "declare it under urns"),
				"there is no URN %s", text.Quote(s.name))
		}
		s.of.Deprecated.Use = next
	}
}
