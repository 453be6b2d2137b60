package gonames

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// A namer names everything in a catalog, in the order of the file.
type namer struct {
	Names
	identifiers *scope // of the package
	files       *scope
	owners      map[any]*owner // of *schema.Queue, *schema.Service, *schema.Type and *schema.URN
	enums       []pendingEnum
}

func newNamer(c *schema.Catalog) *namer {
	n := &namer{
		Names: Names{
			Package:  c.Package,
			Messages: make(map[*schema.URN]Message, len(c.URNs)),
			Queues:   make(map[*schema.Queue]Queue, len(c.Queues)),
			Services: map[*schema.Service]Service{},
			Types:    make(map[*schema.Type]string, len(c.Types)),
			Fields:   map[*schema.Property]string{},
			Schemas:  map[*schema.Schema]*Schema{},
		},
		identifiers: newScope("Go name", c.File),
		files:       newScope("file", c.File),
		owners:      map[any]*owner{},
	}
	for name := range fixedNames {
		n.identifiers.owners[name] = &owner{what: "bqgen itself"}
	}
	return n
}

// A preference is what an owner prefers to be called, with the names that follow from that.
type preference struct {
	entity any // *schema.Queue, *schema.Service, *schema.Type or *schema.URN
	owner  *owner
	names  []string
	file   string // or ""
}

// nameOwners names the queues, types and URNs before any part of them. They come in the order of the file, so that of
// two that prefer one name the first gets it.
func (n *namer) nameOwners(c *schema.Catalog) {
	var all []preference
	for _, t := range c.Types {
		all = append(all, n.preferType(t))
	}
	for _, q := range c.Queues {
		all = append(all, n.preferQueue(q))
		for _, s := range q.Services {
			all = append(all, n.preferService(s))
		}
	}
	for _, u := range c.URNs {
		all = append(all, n.preferURN(u))
	}
	slices.SortStableFunc(all, func(a, b preference) int { return n.identifiers.compare(a.owner.pos, b.owner.pos) })
	for _, p := range all {
		n.owners[p.entity] = p.owner
		if n.identifiers.claim(p.owner, p.names...) && p.file != "" {
			n.files.claim(p.owner, p.file)
		}
	}
	for _, u := range c.URNs {
		n.nameDefs(u)
	}
}

func (n *namer) preferType(t *schema.Type) preference {
	name := t.Schema.GoName
	if name == "" {
		name = typeName(t.Name)
	}
	n.Types[t] = name
	o := &owner{
		what: "the type " + text.Name(t.Name), pos: t.Pos,
		hint: "rename the type, or give it another Go name with x-go-name",
	}
	return preference{entity: t, owner: o, names: []string{name}}
}

func (n *namer) preferQueue(q *schema.Queue) preference {
	name := q.GoName
	if name == "" {
		name = exported(q.Name)
	}
	queue := Queue{
		Function: name + "Queue", Payload: name + "Payload", Marker: "is" + name + "Payload",
		Decodings: "decode" + name + "Queue", Read: "Read" + name,
	}
	claimed := []string{queue.Function, queue.Payload, queue.Decodings, queue.Read}
	if len(q.Services) == 0 {
		queue.Handler, queue.Constructor, queue.Stream = name+"Handler", "New"+name+"Consumer", "New"+name+"Stream"
		claimed = append(claimed, queue.Handler, queue.Constructor, queue.Stream)
	}
	n.Queues[q] = queue
	o := &owner{
		what: "the queue " + text.Name(q.Name), pos: q.Pos,
		hint: "give the queue another Go name with name:",
	}
	return preference{entity: q, owner: o, names: claimed}
}

// preferService names a service after itself and its queue: BillingOrdersHandler.
func (n *namer) preferService(s *schema.Service) preference {
	queue := s.Queue.GoName
	if queue == "" {
		queue = exported(s.Queue.Name)
	}
	name := exported(s.Name) + queue
	service := Service{Handler: name + "Handler", Constructor: "New" + name + "Consumer"}
	n.Services[s] = service
	o := &owner{
		what: "the service " + text.Name(s.Name) + " of the queue " + text.Name(s.Queue.Name), pos: s.Pos,
		hint: "rename the service, or give what it collides with another Go name with name:",
	}
	return preference{entity: s, owner: o, names: []string{service.Handler, service.Constructor}}
}

func (n *namer) preferURN(u *schema.URN) preference {
	name := u.GoName
	if name == "" {
		name = messageName(u.URN)
	}
	stem := fileStem(name)
	m := Message{
		Type: name, Const: name + "URN", Publisher: name, Publishes: name + "Publisher",
		Handler: name + "Handler", Method: "Handle" + name, On: "On" + name, OnBatch: "On" + name + "Batch",
		Definition: name + "Definition", Codec: "codec" + name,
		File: stem + suffix, CodecFile: stem + codecSuffix,
	}
	n.Messages[u] = m
	o := &owner{
		what: "the URN " + text.Name(u.URN), pos: u.Pos,
		hint: "give the URN another Go name with name:",
	}
	if publisherNames[name] {
		n.identifiers.collide(name, &owner{what: "Publishers itself"}, o)
	}
	p := preference{entity: u, owner: o, file: m.File, names: []string{
		m.Const, m.Publishes, m.Handler, m.On, m.OnBatch, m.Definition, m.Codec,
	}}
	if !n.SharesType(u) {
		p.names = append([]string{m.Type}, p.names...)
	}
	return p
}

// nameDefs names the types in the $defs of a URN, those whose name is set in the catalog first: they must not change.
func (n *namer) nameDefs(u *schema.URN) {
	o := n.owners[u]
	for _, t := range u.Defs {
		if name := t.Schema.GoName; name != "" {
			n.identifiers.claim(&owner{
				what: "the type " + text.Name(t.Name), pos: t.Schema.GoNamePos, hint: "give it another x-go-name",
			}, name)
			n.identifiers.owners[name] = o
			n.Types[t] = name
		}
	}
	for _, t := range u.Defs {
		if t.Schema.GoName == "" {
			n.Types[t] = n.identifiers.claimNear(o, t.Pos, inside(n.Messages[u].Type, typeName(t.Name)))
		}
	}
}

// schema returns the names of s, to be filled in.
func (n *namer) schema(s *schema.Schema) *Schema {
	if n.Schemas[s] == nil {
		n.Schemas[s] = &Schema{}
	}
	return n.Schemas[s]
}

// A pendingEnum is an enum whose constants have no names yet.
type pendingEnum struct {
	name   string
	owner  *owner
	schema *schema.Schema
}

// nameEnums names the constants of enums. They come last, when all types have names.
func (n *namer) nameEnums() {
	for _, e := range n.enums {
		preferred := make([]string, len(e.schema.Enum))
		for i, v := range e.schema.Enum {
			preferred[i] = inside(e.name, part(v.Value))
		}
		names := n.schema(e.schema)
		for i, name := range distinct(preferred, nil, "") {
			name = n.identifiers.claimNear(e.owner, e.schema.Enum[i].Pos, name)
			names.Constants = append(names.Constants, name)
		}
		names.Values = n.identifiers.claimNear(e.owner, e.schema.Pos, e.name+"Values")
		names.Table = "enum" + e.name
	}
}
