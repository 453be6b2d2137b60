package importer

import (
	"encoding/binary"
	"strconv"
)

// minHoisted is the number of properties of the smallest object that becomes a type because it is repeated.
const minHoisted = 2

// hoist makes a type of each object that is written out more than once under the same name. Code for one type is
// shorter, and compiles faster, than code for each copy.
func (c *catalog) hoist() {
	h := hoister{catalog: c, class: map[*typ]int{}, count: map[string]int{}, made: map[string]*typ{}}
	for i, t := range c.types {
		h.class[t] = i
	}
	h.everywhere(func(s *shape, name string) *shape {
		if key := h.key(s, name); key != "" {
			h.count[key]++
		}
		return s
	})
	h.everywhere(h.replace)
}

type hoister struct {
	*catalog
	class map[*typ]int
	count map[string]int
	made  map[string]*typ
}

// key returns what equal objects have in common; "" for anything else.
func (h *hoister) key(s *shape, name string) string {
	properties := s.get("properties")
	if properties == nil || len(properties.named) < minHoisted || kindOf(s) != "object" {
		return ""
	}
	text, refs := describe(s)
	key := []byte(strconv.Quote(kebab(name)) + text)
	for _, t := range refs {
		key = binary.AppendUvarint(key, uint64(h.class[t]))
	}
	return string(key)
}

// replace returns a reference to a type instead of an object that is repeated.
func (h *hoister) replace(s *shape, name string) *shape {
	key := h.key(s, name)
	if h.count[key] < 2 {
		return s
	}
	t := h.made[key]
	if t == nil {
		t = &typ{pos: s.src.Pos, wish: name, shape: s}
		if title := titleOf(s.src); title != "" {
			t.wish = title
		}
		h.made[key], h.class[t] = t, len(h.class)
		h.types = append(h.types, t)
		h.within(s, name, h.replace)
	}
	return &shape{src: s.src, members: []member{{key: "$ref", pos: s.src.Pos, ref: t}}}
}

// everywhere replaces each property, and each schema in lists and maps, with what do returns, from the outside in.
func (h *hoister) everywhere(do func(s *shape, name string) *shape) {
	for _, t := range h.types[:len(h.types):len(h.types)] {
		h.within(t.shape, t.wish, do)
	}
	for _, m := range h.messages {
		h.within(m.data, lastWords(m.urn), do)
	}
}

func (h *hoister) within(s *shape, name string, do func(s *shape, name string) *shape) {
	put := func(inner *shape, name string) *shape {
		instead := do(inner, name)
		if instead == inner {
			h.within(inner, name, do)
		}
		return instead
	}
	for i := range s.members {
		m := &s.members[i]
		if m.inner != nil {
			m.inner = put(m.inner, name)
		}
		for _, inner := range m.list {
			h.within(inner, name, do)
		}
		for j, p := range m.named {
			m.named[j].shape = put(p.shape, p.name)
		}
	}
}
