package importer

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// maxRefinements bounds the search for equal types. Types whose difference is deeper stay apart.
const maxRefinements = 64

// share makes equal types one. Types are equal when they are written alike and refer to equal types: those that are
// written alike start as equal and are told apart step by step, so that types in circles are found as well.
func (c *catalog) share() {
	class, classes := make(map[*typ]int, len(c.types)), map[string]int{}
	refs := make([][]*typ, len(c.types))
	for i, t := range c.types {
		var text string
		text, refs[i] = describe(t.shape)
		class[t] = numberOf(classes, []byte(text))
	}
	for range maxRefinements {
		count := len(classes)
		clear(classes)
		refined := make([]int, len(c.types))
		var key []byte
		for i, t := range c.types {
			key = binary.AppendUvarint(key[:0], uint64(class[t]))
			for _, ref := range refs[i] {
				key = binary.AppendUvarint(key, uint64(class[ref]))
			}
			refined[i] = numberOf(classes, key)
		}
		if len(classes) == count {
			c.unite(class)
			return
		}
		for i, t := range c.types {
			class[t] = refined[i]
		}
	}
}

// numberOf returns the number of a key, which gets the next one when it is new.
func numberOf(numbers map[string]int, key []byte) int {
	number, known := numbers[string(key)]
	if !known {
		number = len(numbers)
		numbers[string(key)] = number
	}
	return number
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

// describe writes a shape, with a mark for each type that it refers to, and returns these types.
func describe(s *shape) (string, []*typ) {
	var b strings.Builder
	var refs []*typ
	var write func(s *shape)
	write = func(s *shape) {
		fmt.Fprint(&b, s.never, "{")
		for i := range s.members {
			m := &s.members[i]
			b.WriteString(quoted(m.key) + ":")
			switch {
			case m.ref != nil:
				b.WriteByte('&')
				refs = append(refs, m.ref)
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
	return b.String(), refs
}
