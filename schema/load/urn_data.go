package load

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/merge"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A payload holds what is checked of a URN when all schemas are made.
type payload struct {
	urn      *schema.URN
	root     *draft.Root // nil when the URN has no data
	key      *source.Node
	examples *source.Node
}

// data drafts data of a URN, the schema of its payload.
func (l *loader) data(u *schema.URN, n *source.Node) *draft.Root {
	scope := &draft.Scope{File: l.path, Owner: u, Defs: draft.NewSection(true, nil)}
	return l.drafts.Payload(n, scope)
}

// checkPayloads sets the schemas of the URNs, and checks them and the message keys.
func (l *loader) checkPayloads(urns *urnSet, merged *merge.Result) {
	for _, p := range urns.payloads {
		if p.root == nil {
			continue
		}
		p.urn.Data = p.root.Schema
		if !l.isPayload(p, merged) {
			p.root.Doubt |= trust.Inside
			continue
		}
		if p.key != nil {
			l.key(p.urn, p.key, merged)
		}
	}
}

// isPayload reports data that is not an object, unless its schema was reported before.
func (l *loader) isPayload(p payload, merged *merge.Result) bool {
	data := p.root.Schema
	s := merge.Follow(data)
	what := "data of " + text.Quote(p.urn.URN)
	switch {
	case s == nil, s.Kind == 0, !merged.Doubts[s].MayRely() && s.Kind != schema.Object:
	case s.Kind == schema.Union:
		l.Report(data.Pos, schema.RuleDataObject, "give each form a URN of its own, or make it a property",
			"%s is a oneOf, a payload is one object", what)
		return false
	case s.Kind == schema.Any:
		l.Report(data.Pos, schema.RuleDataObject, "type: object", "%s has no type, a payload is an object", what)
		return false
	case s.Kind != schema.Object:
		l.Report(data.Pos, schema.RuleDataObject, "type: object",
			"%s is of type %s, a payload is an object", what, s.Kind)
		return false
	case data.AllowsNull():
		l.Report(data.Pos, schema.RuleDataObject, `take "null" out of the type`,
			"%s may be null, a payload is an object", what)
		return false
	}
	return true
}
