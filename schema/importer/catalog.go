package importer

import (
	"fmt"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A catalog is the catalog to be.
type catalog struct {
	pkg         string
	title       string
	description string
	owner       string
	queues      []*queue
	types       []*typ
	messages    []*message
	losses      []Loss
	names       nameSet // of types
	faults      source.Reporter
}

// A queue is a queue of the catalog to be.
type queue struct {
	pos                      schema.Pos
	name, topic, description string
}

// A message is a URN of the catalog to be.
type message struct {
	pos                   schema.Pos
	urn, goName           string
	queue                 *queue
	summary, description  string
	publishers, consumers []string
	data                  *shape
	examples              []*source.Node
}

func (m *message) remove(example *source.Node) {
	m.examples = slices.DeleteFunc(slices.Clone(m.examples), func(e *source.Node) bool { return e == example })
}

// A typ is a schema that others refer to.
type typ struct {
	pos   schema.Pos
	name  string
	wish  string // the name that the source suggests
	shape *shape
}

// A shape is a schema of the catalog to be.
type shape struct {
	src      *source.Node // what stood there
	members  []member
	isData   bool     // the payload of a message, which is an object
	wide     bool     // everything but annotations is gone
	never    bool     // the schema false
	gone     []string // keywords that were lost when the shape was made
	comments []string
}

// A member is a keyword of a shape, with one of the values.
type member struct {
	key   string
	pos   schema.Pos
	node  *source.Node
	ref   *typ
	inner *shape
	list  []*shape
	named []named
}

// A named shape is a property.
type named struct {
	name  string
	shape *shape
}

// A Loss is a place where the catalog accepts more than the source.
type Loss struct {
	Pos     schema.Pos
	Keyword string
	Reason  string
}

func (s *shape) get(key string) *member {
	for i := range s.members {
		if s.members[i].key == key {
			return &s.members[i]
		}
	}
	return nil
}

// set adds or replaces a keyword.
func (s *shape) set(m member) {
	if old := s.get(m.key); old != nil {
		*old = m
		return
	}
	s.members = append(s.members, m)
}

func (s *shape) remove(key string) {
	s.members = slices.DeleteFunc(s.members, func(m member) bool { return m.key == key })
}

// each visits the shapes right inside a member.
func (m *member) each(visit func(*shape)) {
	if m.inner != nil {
		visit(m.inner)
	}
	for _, s := range m.list {
		visit(s)
	}
	for _, n := range m.named {
		visit(n.shape)
	}
}

// each visits a shape and all shapes inside it, but does not follow references.
func (s *shape) each(visit func(*shape)) {
	visit(s)
	for i := range s.members {
		s.members[i].each(func(inner *shape) { inner.each(visit) })
	}
}

func (c *catalog) each(visit func(*shape)) {
	for _, t := range c.types {
		t.shape.each(visit)
	}
	for _, m := range c.messages {
		m.data.each(visit)
	}
}

// lose notes a loss and leaves a comment at the shape that shows what stood there.
func (c *catalog) lose(s *shape, at schema.Pos, key, reason string, was *source.Node) {
	c.losses = append(c.losses, Loss{at, key, reason})
	if was != nil {
		s.comments = append(s.comments, comment(at, key, was))
	}
}

// maxComment is the length of the longest comment, in characters.
const maxComment = 160

// comment shows what stood in the source. Whatever that is, it stays a comment on one line that means nothing to bqgen.
func comment(at schema.Pos, key string, was *source.Node) string {
	compact := was.JSONStart(maxComment * utf8.UTFMax)
	place := fmt.Sprintf("%s:%d:%d", filepath.Base(at.File), at.Line, at.Column)
	return harmless("not carried over: " + key + " " + text.Shorten(string(compact), maxComment) + " (" + place + ")")
}

// drop takes away a keyword that cannot be carried over, and those that mean something else without it.
func (c *catalog) drop(s *shape, key, reason string) {
	m := s.get(key)
	if m == nil {
		return
	}
	was := s.src.Get(key)
	if was == nil {
		was = m.node
	}
	c.lose(s, m.pos, key, reason, was)
	s.remove(key)
	c.dropNeeding(s, key)
	describeItems(s)
}

// describeItems adds the items that a catalog wants of an array.
func describeItems(s *shape) {
	if types := s.get("type"); types != nil && types.node.Text == "array" && s.get("items") == nil {
		s.set(member{key: "items", pos: types.pos, inner: &shape{src: s.src}})
	}
}

func (c *catalog) dropNeeding(s *shape, key string) {
	for _, m := range slices.Clone(s.members) {
		if slices.Contains(keywords[m.key].needs, key) && !acceptsAll(s.src.Get(m.key)) {
			c.drop(s, m.key, "it means something else without "+key)
		}
	}
}

// acceptsAll reports a schema without limits.
func acceptsAll(n *source.Node) bool {
	return n != nil && (n.IsText("true") || n.Kind == source.Mapping && len(n.Pairs) == 0)
}

// widen makes a shape the widest that can stand there.
func (c *catalog) widen(s *shape, at schema.Pos, key, reason string) {
	c.losses = append(c.losses, Loss{at, key, reason})
	s.comments = append(s.comments, comment(s.src.Pos, "schema", s.src))
	object := s.isData
	if t := s.get("type"); t != nil && t.node.Kind == source.Scalar && t.node.Text == "object" && key != "type" {
		object = true
	}
	s.members = slices.DeleteFunc(s.members, func(m member) bool { return !annotations[m.key] })
	s.wide, s.never = true, false
	if object {
		s.set(member{key: "type", pos: s.src.Pos, node: textNode(s.src.Pos, "object")})
	}
}

// loosen takes away keywords that would refuse more since a schema inside them accepts more.
func (c *catalog) loosen() {
	for changed := true; changed; {
		changed = false
		loose := c.looseTypes()
		c.each(func(s *shape) {
			for _, m := range slices.Clone(s.members) {
				row := keywords[m.key]
				switch {
				case row.flips && !(m.key == "oneOf" && c.areApart(m.list)) && isLoose(&m, loose):
					c.drop(s, m.key, "a schema inside it was widened")
					changed = true
				case row.sees && isLoose(&member{inner: s}, loose):
					c.drop(s, m.key, "a keyword next to it was widened")
					changed = true
				}
			}
		})
	}
}

// isLoose reports whether a schema inside a keyword accepts more than in the source.
func isLoose(m *member, loose map[*typ]bool) bool {
	found := loose[m.ref]
	m.each(func(inner *shape) {
		found = found || len(inner.comments) > 0
		for i := range inner.members {
			found = found || isLoose(&inner.members[i], loose)
		}
	})
	return found
}

// looseTypes are the types that accept more than in the source, by themselves or through others.
func (c *catalog) looseTypes() map[*typ]bool {
	loose, usedBy := map[*typ]bool{}, map[*typ][]*typ{}
	var spread []*typ
	for _, t := range c.types {
		t.shape.each(func(s *shape) {
			if ref := s.get("$ref"); ref != nil {
				usedBy[ref.ref] = append(usedBy[ref.ref], t)
			}
			if len(s.comments) > 0 && !loose[t] {
				loose[t] = true
				spread = append(spread, t)
			}
		})
	}
	for len(spread) > 0 {
		users := usedBy[spread[len(spread)-1]]
		spread = spread[:len(spread)-1]
		for _, user := range users {
			if !loose[user] {
				loose[user] = true
				spread = append(spread, user)
			}
		}
	}
	return loose
}

// prune removes the queues and the types that no message needs.
func (c *catalog) prune() {
	used := map[*queue]bool{}
	for _, m := range c.messages {
		used[m.queue] = true
	}
	c.queues = slices.DeleteFunc(c.queues, func(q *queue) bool { return !used[q] })
	needed := map[*typ]bool{}
	var next []*typ
	visit := func(s *shape) {
		if ref := s.get("$ref"); ref != nil && !needed[ref.ref] {
			needed[ref.ref] = true
			next = append(next, ref.ref)
		}
	}
	for _, m := range c.messages {
		m.data.each(visit)
	}
	for len(next) > 0 {
		t := next[len(next)-1]
		next = next[:len(next)-1]
		t.shape.each(visit)
	}
	c.types = slices.DeleteFunc(c.types, func(t *typ) bool { return !needed[t] })
}

// areApart reports whether the branches of a oneOf each require a text that no other has in the same property, or are
// null, so that accepting more elsewhere does not make two of them accept the same value.
func (c *catalog) areApart(branches []*shape) bool {
	var common map[string]bool // properties that tell all branches so far apart
	seen := map[string]bool{}
	for _, b := range branches {
		if t := b.get("type"); t != nil && t.node != nil && t.node.Text == "null" {
			continue
		}
		own := map[string]bool{}
		for name, value := range constants(b) {
			if key := name + "\x00" + value; !seen[key] && (common == nil || common[name]) {
				seen[key], own[name] = true, true
			}
		}
		if common = own; len(own) == 0 {
			return false
		}
	}
	return true
}

// constants are the required properties of an object that have a const.
func constants(s *shape) map[string]string {
	for range 100 { // references may form a circle
		if ref := s.get("$ref"); ref != nil && ref.ref != nil {
			s = ref.ref.shape
		}
	}
	found := map[string]string{}
	required, properties := s.get("required"), s.get("properties")
	if required == nil || properties == nil {
		return found
	}
	for _, p := range properties.named {
		k := p.shape.get("const")
		isRequired := func(n *source.Node) bool { return n.Text == p.name }
		if k != nil && k.node.Kind == source.Scalar && slices.ContainsFunc(required.node.Items, isRequired) {
			found[p.name] = k.node.Text
		}
	}
	return found
}
