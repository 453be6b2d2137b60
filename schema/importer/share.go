package importer

import (
	"fmt"
	"strings"
)

// maxRefinements bounds the search for equal types. Types whose difference is deeper stay apart.
const maxRefinements = 64

// share makes equal types one. Types are equal when they are written alike and refer to equal types: all start as equal
// and are told apart step by step, so that types in circles are found as well.
func (c *catalog) share() {
	class := map[*typ]int{}
	count := 1
	for range maxRefinements {
		refined, classes := map[*typ]int{}, map[string]int{}
		for _, t := range c.types {
			key := fmt.Sprint(class[t]) + describe(t.shape, class)
			if _, known := classes[key]; !known {
				classes[key] = len(classes)
			}
			refined[t] = classes[key]
		}
		class = refined
		if len(classes) == count {
			c.unite(class)
			return
		}
		count = len(classes)
	}
}

// unite keeps the first type of each class.
func (c *catalog) unite(class map[*typ]int) {
	first := map[int]*typ{}
	var kept []*typ
	for _, t := range c.types {
		if first[class[t]] == nil {
			first[class[t]] = t
			kept = append(kept, t)
		}
	}
	c.types = kept
	c.each(func(s *shape) {
		if ref := s.get("$ref"); ref != nil {
			ref.ref = first[class[ref.ref]]
		}
	})
}

// describe writes a shape with the classes of the types that it refers to.
func describe(s *shape, class map[*typ]int) string {
	var b strings.Builder
	var write func(s *shape)
	write = func(s *shape) {
		fmt.Fprint(&b, s.never, "{")
		for i := range s.members {
			m := &s.members[i]
			b.WriteString(quoted(m.key) + ":")
			switch {
			case m.ref != nil:
				fmt.Fprint(&b, class[m.ref])
			case m.node != nil:
				writeFlow(&b, m.node)
			case m.inner != nil:
				write(m.inner)
			}
			for _, inner := range m.list {
				write(inner)
			}
			for _, p := range m.named {
				b.WriteString(quoted(p.name) + ":")
				write(p.shape)
			}
			b.WriteByte(';')
		}
		b.WriteByte('}')
	}
	write(s)
	return b.String()
}
