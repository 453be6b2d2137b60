package merge

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// A tried union is a oneOf of objects that no const tells apart. It has a Go type, whose branches are tried one after
// another, and a rule says what it says: that exactly one of them is valid.

// minTried is the number of branches from which on there is something to try.
const minTried = 2

// tried returns the part with a oneOf that becomes a tried union, or nil. Nothing but a type stands next to it.
func (b *builder) tried(g *group) *draft.Draft {
	if len(g.parts) != 1 || len(g.refs) > 0 || g.null != nil || b.root.Type == nil && g.isTopOf(b.root) {
		return nil
	}
	d := g.parts[0].Draft
	if d.OneOf == nil || d.HasUnknown || d.Constrains("type", "oneOf") {
		return nil
	}
	objects := 0
	for _, entry := range d.OneOf {
		types := b.outlook.possibleTypes(entry)
		switch {
		case entry.IsNull():
		case types == draft.ObjectType, types == draft.EveryType && d.Types == draft.ObjectType:
			objects++
		default:
			return nil
		}
	}
	if objects < minTried || d.Types != 0 && d.Types&draft.ObjectType == 0 {
		return nil
	}
	return d
}

// A pendingTried waits until its branches are made.
type pendingTried struct {
	schema  *schema.Schema
	onlyMap bool // without the union, it is an object and not raw JSON
}

// makeTried makes a tried union of a oneOf.
func (b *builder) makeTried(s *schema.Schema, g *group, d *draft.Draft) {
	b.raw(s, g)
	s.Kind = schema.Union
	hasNull := false
	for _, entry := range d.OneOf {
		if entry.IsNull() {
			hasNull = true
			continue
		}
		branch := b.build([]*draft.Draft{entry}, g.at)
		s.Branches = append(s.Branches, schema.Branch{Pos: entry.Pos, Schema: branch})
	}
	s.Nullable = hasNull && (d.Types == 0 || d.Types&draft.NullType != 0)
	b.triedUnions = append(b.triedUnions, pendingTried{s, !hasNull || d.Types == draft.ObjectType})
}

// checkTried leaves the tried unions whose branches are different Go structs. Others are raw JSON, or a map, and so are
// payloads, which are one Go type.
func (m *Merger) checkTried(roots []*draft.Root) {
	isPayload := map[*schema.Schema]bool{}
	for _, r := range roots {
		if r.Type == nil {
			isPayload[Follow(r.Schema)] = true
		}
	}
	for _, t := range m.triedUnions {
		if isPayload[t.schema] || !areStructs(t.schema.Branches) {
			t.schema.Kind, t.schema.Branches = schema.Any, nil
			if t.onlyMap {
				t.schema.Kind, t.schema.Additional = schema.Object, schema.AdditionalKept
			} else {
				t.schema.Nullable = false
			}
		}
	}
}

func areStructs(branches []schema.Branch) bool {
	met := map[*schema.Schema]bool{}
	for _, b := range branches {
		s := Follow(b.Schema)
		if s == nil || s.Kind != schema.Object || len(s.Properties) == 0 || s.GoType != nil || b.Schema.GoType != nil ||
			b.Schema.AllowsNull() || met[s] {
			return false
		}
		met[s] = true
	}
	return true
}
