package schema

import "strings"

// An edge leads from a type to one without which no value of it can be: a $ref that is the type itself, or one
// through required properties only. Optional properties and arrays can be left empty, so they lead nowhere.
type edge struct {
	ref   *Schema
	plain bool // the type is nothing but the $ref
}

// checkCycles reports types that lead back to themselves along edges: one finding a cycle, at the $ref that
// closes it in the file's order. URNs' data cannot be part of one, since nothing refers to it.
func (l *loader) checkCycles() {
	c := cycles{loader: l, state: map[*Type]int{}}
	for _, t := range l.catalog.Types {
		c.visit(t)
	}
}

type cycles struct {
	*loader
	state map[*Type]int // 1: on the path, 2: done
	path  []step
}

// A step is a type on the path and the edge that was taken from it.
type step struct {
	from *Type
	edge edge
}

func (c *cycles) visit(t *Type) {
	c.state[t] = 1
	for _, e := range edges(t.Schema, true, nil) {
		next := e.ref.Target
		if next == nil {
			continue
		}
		c.path = append(c.path, step{t, e})
		switch c.state[next] {
		case 0:
			c.visit(next)
		case 1:
			c.reportCycle(next)
		}
		c.path = c.path[:len(c.path)-1]
	}
	c.state[t] = 2
}

func (c *cycles) reportCycle(first *Type) {
	start := len(c.path) - 1
	for c.path[start].from != first {
		start--
	}
	steps := c.path[start:]
	plain := true
	var names []string
	for _, s := range steps {
		plain = plain && s.edge.plain
		names = append(names, quote(s.from.Name))
		// Nothing below may follow the reference round and round.
		if r := c.types[s.from.Name]; r != nil {
			r.bad = true
		}
	}
	if len(names) > 6 {
		names = append(names[:5], "...")
	}
	way := strings.Join(append(names, quote(first.Name)), " -> ")
	pos := steps[len(steps)-1].edge.ref.Pos
	if plain {
		c.report(pos, ruleRefCycle, "give one of them a type of its own", "types refer to each other in a circle: %s", way)
		return
	}
	c.report(pos, ruleNoFiniteValue, "make one of the properties optional, or an array", "a value of type %s could never end: %s", quote(first.Name), way)
}

// edges collects those of a schema; plain is true at its top only.
func edges(s *Schema, plain bool, found []edge) []edge {
	switch s.Kind {
	case Ref:
		found = append(found, edge{s, plain})
	case Object:
		for _, p := range s.Properties {
			if p.Required {
				found = edges(p.Schema, false, found)
			}
		}
	}
	return found
}
