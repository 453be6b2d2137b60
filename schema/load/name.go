package load

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// goNames are the explicit Go names of one kind of thing. The generator judges those that it derives.
type goNames map[string]schema.Pos

// goName reads name of a queue or a URN, an exported Go identifier.
func (l *loader) goName(m *source.Node, taken goNames) (string, schema.Pos) {
	n := m.Get("name")
	if n == nil {
		return "", schema.Pos{}
	}
	name, ok := l.Text(n, "name")
	if !ok {
		return "", schema.Pos{}
	}
	first, again := taken[name]
	switch {
	case again:
		l.Report(n.Pos, schema.RuleSameGoName, "give one of the two another name",
			"name %s is taken on line %d", text.Quote(name), first.Line)
	case l.drafts.IsGoName(n.Pos, "name", name):
		taken[name] = n.Pos
	}
	return name, n.Pos
}
