package merge

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A need is a schema, a type or a branch, as far as a value of it must end. It is met when everything that it needs
// is met, or one of them when any will do. Optional properties, arrays and maps can be left empty, and null ends
// everything, so they need nothing.
type need struct {
	any     bool
	waiting int // number of needs that are not met
	needs   []needed
	users   []*need
	met     bool
	typ     *schema.Type // when it is a type
}

type needed struct {
	*need
	ref schema.Pos // of the $ref to it
}

// checkFinite reports types that have no finite value, since each value needs another one inside it.
func (m *Merger) checkFinite(roots []*draft.Root) {
	g := finiteGraph{types: map[*schema.Type]*need{}}
	for _, r := range roots {
		if r.Type != nil {
			n := g.typ(r.Type)
			if r.Doubt.MayFollow() { // else reported
				g.require(n, r.Schema)
			}
			g.close(n)
		}
	}
	for len(g.ready) > 0 {
		n := g.ready[len(g.ready)-1]
		g.ready = g.ready[:len(g.ready)-1]
		for _, user := range n.users {
			if user.waiting--; !user.met && (user.any || user.waiting == 0) {
				user.met = true
				g.ready = append(g.ready, user)
			}
		}
	}
	reported := map[*need]bool{}
	for _, r := range roots {
		if r.Type != nil && !g.types[r.Type].met {
			m.reportEndless(g.types[r.Type], reported)
		}
	}
}

type finiteGraph struct {
	types map[*schema.Type]*need
	ready []*need // met, but their users do not know yet
}

func (g *finiteGraph) typ(t *schema.Type) *need {
	if n := g.types[t]; n != nil {
		return n
	}
	n := &need{typ: t}
	g.types[t] = n
	return n
}

// close ends the list of what a node needs.
func (g *finiteGraph) close(n *need) {
	if n.waiting = len(n.needs); n.waiting == 0 {
		n.met = true
		g.ready = append(g.ready, n)
	}
	for _, other := range n.needs {
		other.users = append(other.users, n)
	}
}

// require adds what a value of s must have inside it.
func (g *finiteGraph) require(n *need, s *schema.Schema) {
	if s == nil || s.Nullable {
		return
	}
	switch s.Kind {
	case schema.Ref:
		if s.Target != nil {
			n.needs = append(n.needs, needed{g.typ(s.Target), s.Pos})
		}
	case schema.Object:
		for _, p := range s.Properties {
			if p.Required {
				g.require(n, p.Schema)
			}
		}
		if s.MinProperties != nil && *s.MinProperties > len(s.Properties) {
			g.require(n, s.AdditionalSchema)
		}
	case schema.Array:
		if s.MinItems != nil && *s.MinItems > 0 {
			g.require(n, s.Items)
		}
	case schema.Union:
		either := &need{any: true}
		for _, b := range s.Branches {
			branch := &need{}
			g.require(branch, b.Schema)
			g.close(branch)
			either.needs = append(either.needs, needed{branch, b.Pos})
		}
		g.close(either)
		n.needs = append(n.needs, needed{either, s.Pos})
	}
}

// reportEndless follows needs that are not met until it comes back to one, and reports that circle once.
func (m *Merger) reportEndless(n *need, reported map[*need]bool) {
	at := map[*need]int{}
	var way []needed
	for {
		if reported[n] {
			return
		}
		if start, again := at[n]; again {
			way = way[start:]
			break
		}
		at[n] = len(way)
		next := n.needs[0]
		for _, other := range n.needs {
			if !other.met {
				next = other
				break
			}
		}
		way = append(way, next)
		n = next.need
	}
	var types []*schema.Type
	pos := way[len(way)-1].ref
	for _, step := range way {
		reported[step.need] = true
		if step.typ != nil {
			types = append(types, step.typ)
			pos = step.ref
		}
	}
	// The way ends where it began: the last type is also the first.
	first := types[len(types)-1]
	types = append([]*schema.Type{first}, types[:len(types)-1]...)
	m.doubtTypes(types, trust.Inside)
	m.Report(pos, schema.RuleNoFiniteValue, "make one of the properties optional, nullable or an array",
		"a value of type %s could never end: %s", text.Quote(first.Name), describeWay(types, first))
}
