package load

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A urnSet is the URNs that the catalog declares, whether or not their content is right, and what is checked of
// them when all schemas are made.
type urnSet struct {
	byName     map[string]*schema.URN
	doubt      trust.Doubt // Partial when there may be more of them
	payloads   []payload
	successors []successor
}

var urnKeys = source.Keys{
	Required: []source.RequiredKey{
		{Name: "queue", Hint: "queue: NAME, one of those under queues"},
		{Name: "data", Hint: "data: {type: object, properties: {...}}"},
	},
	Optional: []string{
		"name", "summary", "description", "key", "deprecated", "publishers", "consumers", "examples",
	},
}

// urns reads urns.
func (l *loader) urns(n *source.Node, queues *queueSet) *urnSet {
	set := &urnSet{}
	if !l.IsMapping(n, "urns") {
		return set
	}
	set.byName = make(map[string]*schema.URN, len(n.Pairs))
	set.doubt = n.Doubt
	names := goNames{}
	l.limit(n, "messages")
	for _, p := range n.Pairs {
		u := &schema.URN{URN: p.Key.Text, Pos: p.Key.Pos}
		l.NotBlank(u.Pos, u.URN, "a URN")
		set.byName[u.URN] = u
		l.catalog.URNs = append(l.catalog.URNs, u)
		l.urn(set, u, p.Value, names, queues)
	}
	return set
}

// urnNames are the names of all URNs, to find the one that was meant.
func (l *loader) urnNames() *near.Lazy {
	return l.near.Lazy(func() []string {
		return near.Names(l.catalog.URNs, func(u *schema.URN) string { return u.URN })
	})
}

func (l *loader) urn(set *urnSet, u *schema.URN, n *source.Node, names goNames, queues *queueSet) {
	m, ok := l.Mapping(n, "URN "+text.Quote(u.URN), urnKeys)
	if !ok {
		return
	}
	if q := m.Get("queue"); q != nil {
		u.Queue = l.queueOf(q, queues)
	}
	u.GoName, u.GoNamePos = l.goName(m, names)
	u.Summary = l.OptionalText(m, "summary")
	u.Description = l.OptionalText(m, "description")
	u.Publishers = l.TextList(m, "publishers")
	u.Consumers = l.TextList(m, "consumers")
	l.countServices(u.Pos, false, u.Publishers...)
	l.countServices(u.Pos, false, u.Consumers...)
	if d := m.Get("deprecated"); d != nil {
		l.deprecated(set, u, d)
	}
	p := payload{urn: u, key: m.Get("key"), examples: m.Get("examples")}
	if d := m.Get("data"); d != nil {
		p.root = l.data(u, d)
	}
	set.payloads = append(set.payloads, p)
}
