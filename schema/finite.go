package schema

import "strings"

// checkCycles reports types that are nothing but a reference to each other in a circle. Nobody can follow those.
func (l *loader) checkCycles() {
	state := map[*Type]int{} // 1: on the way, 2: done
	for _, r := range l.roots {
		var way []*Type
		t := r.typ
		for t != nil && state[t] == 0 {
			state[t] = 1
			way = append(way, t)
			if t.Schema.Kind != Ref {
				break
			}
			t = t.Schema.Target
		}
		if t != nil && state[t] == 1 && len(way) > 0 && way[len(way)-1].Schema.Kind == Ref {
			l.reportCircle(way, t)
		}
		for _, t := range way {
			state[t] = 2
		}
	}
}

// reportCircle reports the circle that starts with first, at the $ref that closes it.
func (l *loader) reportCircle(way []*Type, first *Type) {
	for way[0] != first {
		way = way[1:]
	}
	l.distrust(way)
	for _, t := range way {
		l.circular[t] = true
	}
	l.report(way[len(way)-1].Schema.Pos, ruleRefCycle, "give one of them a type of its own",
		"types refer to each other in a circle: %s", wayOf(way, first))
}

// distrust keeps others from concluding anything from types that were reported.
func (l *loader) distrust(types []*Type) {
	for _, t := range types {
		l.rootOf[t].bad = true
	}
}

func wayOf(types []*Type, last *Type) string {
	var names []string
	for _, t := range types {
		names = append(names, quote(t.Name))
	}
	if len(names) > 6 {
		names = append(names[:5], "...")
	}
	return strings.Join(append(names, quote(last.Name)), " -> ")
}

// A need is a schema, a type or a branch as far as a value of it has to end. It is met when all of what it needs is,
// or one of it when any will do: optional properties, arrays and maps can be left empty and null ends everything, so
// they need nothing.
type need struct {
	any     bool
	waiting int // for so many
	needs   []needed
	users   []*need
	met     bool
	typ     *Type // when it is a type
}

type needed struct {
	*need
	ref Pos // of the $ref to it
}

// checkFinite reports types no value of which could end, since each needs another inside.
func (l *loader) checkFinite() {
	g := finiteGraph{types: map[*Type]*need{}}
	for _, r := range l.roots {
		if r.typ != nil {
			n := g.typ(r.typ)
			if !l.circular[r.typ] { // reported
				g.require(n, r.schema)
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
	for _, r := range l.roots {
		if r.typ != nil && !g.types[r.typ].met {
			l.reportEndless(g.types[r.typ], reported)
		}
	}
}

type finiteGraph struct {
	types map[*Type]*need
	ready []*need // met, and the users do not know
}

func (g *finiteGraph) typ(t *Type) *need {
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

// require adds what a value of s has to have inside.
func (g *finiteGraph) require(n *need, s *Schema) {
	if s == nil || s.Nullable {
		return
	}
	switch s.Kind {
	case Ref:
		if s.Target != nil {
			n.needs = append(n.needs, needed{g.typ(s.Target), s.Pos})
		}
	case Object:
		required := 0
		for _, p := range s.Properties {
			if p.Required {
				required++
				g.require(n, p.Schema)
			}
		}
		if s.MinProperties != nil && *s.MinProperties > len(s.Properties) {
			g.require(n, s.AdditionalSchema)
		}
	case Array:
		if s.MinItems != nil && *s.MinItems > 0 {
			g.require(n, s.Items)
		}
	case Union:
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

// reportEndless follows what is not met until it comes round, and reports that circle once.
func (l *loader) reportEndless(n *need, reported map[*need]bool) {
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
	var types []*Type
	pos := way[len(way)-1].ref
	for i, step := range way {
		reported[step.need] = true
		if step.typ != nil {
			types = append(types, step.typ)
			pos = way[i].ref
		}
	}
	// The way ends where it began: the last type is the first as well.
	first := types[len(types)-1]
	types = append([]*Type{first}, types[:len(types)-1]...)
	l.distrust(types)
	l.report(pos, ruleNoFiniteValue, "make one of the properties optional, nullable or an array",
		"a value of type %s could never end: %s", quote(first.Name), wayOf(types, first))
}
