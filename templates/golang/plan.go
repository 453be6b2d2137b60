package golang

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/babelqueue/bqgen/schema"
)

// plan decides the Go code for a catalog. The findings are names that cannot be told apart.
func plan(c *schema.Catalog, packageName, source string) (*codePackage, schema.Diagnostics) {
	return newPlanner(c).plan(c, packageName, source)
}

func newPlanner(c *schema.Catalog) *planner {
	return &planner{
		names:       newScope("Go name", c.File),
		files:       newScope("file", c.File),
		owners:      map[any]*owner{},
		types:       map[*schema.Type]typ{},
		typeNames:   map[*schema.Type]string{},
		queues:      map[*schema.Queue]*queue{},
		message:     map[*schema.URN]string{},
		fields:      map[*schema.Property]field{},
		constraints: constraints{},
	}
}

func (p *planner) plan(c *schema.Catalog, packageName, source string) (*codePackage, schema.Diagnostics) {
	pkg := &codePackage{Name: packageName, Source: oneLine(source)}
	pkg.Doc = packageDoc(c, pkg)
	p.nameAll(c)
	for _, q := range c.Queues {
		pkg.Queues = append(pkg.Queues, p.planQueue(q))
	}
	for _, t := range c.Types {
		pkg.Types = append(pkg.Types, p.planNamed(t, p.owners[t], sharedDoc(c, p.typeNames[t], t))...)
	}
	for _, u := range c.URNs {
		m := p.planMessage(u)
		pkg.Messages = append(pkg.Messages, m)
		m.Queue.Messages = append(m.Queue.Messages, m)
	}
	p.nameConstants()
	return pkg, schema.NewDiagnostics(append(p.names.findings, p.files.findings...)...)
}

// A planner makes a plan in one pass over the catalog.
type planner struct {
	names       *scope // all names at package level
	files       *scope
	owners      map[any]*owner // of *schema.Queue, *schema.Type and *schema.URN
	types       map[*schema.Type]typ
	typeNames   map[*schema.Type]string
	queues      map[*schema.Queue]*queue
	message     map[*schema.URN]string // Go names
	fields      map[*schema.Property]field
	constraints constraints

	// Enum constants get their names last, when all types have theirs.
	enums []pendingEnum
}

// nameAll settles what the catalog's own things are called, before anything that is only a part of one. They come in
// the order of the file, so that of two that want one name the first gets it.
func (p *planner) nameAll(c *schema.Catalog) {
	for name := range fixedNames {
		p.names.owners[name] = &owner{what: "bqgen itself"}
	}
	var wishes []wish
	for _, t := range c.Types {
		wishes = append(wishes, p.wishOfType(t))
	}
	for _, q := range c.Queues {
		wishes = append(wishes, p.wishOfQueue(q))
	}
	for _, u := range c.URNs {
		wishes = append(wishes, p.wishOfURN(u))
	}
	slices.SortStableFunc(wishes, func(a, b wish) int { return p.names.compare(a.owner.pos, b.owner.pos) })
	for _, w := range wishes {
		p.owners[w.thing] = w.owner
		if p.names.claim(w.owner, w.names...) && w.file != "" {
			p.files.claim(w.owner, w.file)
		}
	}
	for _, u := range c.URNs {
		p.nameDefs(u)
	}
	for t, used := range p.types {
		if a, ok := used.(*alias); ok && t.Schema.Kind == schema.Ref {
			a.Of = p.types[t.Schema.Target]
		}
	}
}

// ruleGoType is the rule about types of the user's that cannot stand where they do.
const ruleGoType = "go-type-place"

// A wish is what a thing of the catalog wants to be called, it and all that is named after it.
type wish struct {
	thing any // *schema.Queue, *schema.Type or *schema.URN
	owner *owner
	names []string
	file  string // or empty
}

func (p *planner) wishOfType(t *schema.Type) wish {
	name := typeName(t.Name)
	o := &owner{what: "the type " + quoted(t.Name), pos: t.Pos, hint: "rename the type, or give it another Go name with x-go-name"}
	if t.Schema.GoName != "" {
		name = t.Schema.GoName
	}
	p.typeNames[t] = name
	p.types[t] = p.typeOf(name, t.Schema)
	return wish{thing: t, owner: o, names: []string{name}}
}

// nameDefs names the types that a URN keeps for itself, after the URN or as the catalog says.
func (p *planner) nameDefs(u *schema.URN) {
	o := p.owners[u]
	for _, named := range []bool{true, false} { // a name that is given is not to be changed
		for _, t := range u.Defs {
			explicit := t.Schema.GoName
			if (explicit != "") != named {
				continue
			}
			name := explicit
			if named {
				p.names.claim(&owner{what: "the type " + quoted(t.Name), pos: t.Schema.GoNamePos, hint: "give it another x-go-name"}, name)
				p.names.owners[name] = o
			} else {
				name = p.names.claimNear(o, t.Pos, join([]string{p.message[u], typeName(t.Name)}))
			}
			p.typeNames[t] = name
			p.types[t] = p.typeOf(name, t.Schema)
		}
	}
}

// sharedDoc says where a shared type comes from.
func sharedDoc(c *schema.Catalog, name string, t *schema.Type) doc {
	if t.Pos.File != c.File && t.Pos.File != "" {
		return sentence("%s is the type %s of %s.", name, quoted(t.Name), quoted(t.Pos.File))
	}
	return sentence("%s is the type %s of the catalog.", name, quoted(t.Name))
}

func (p *planner) wishOfQueue(q *schema.Queue) wish {
	name := q.GoName
	if name == "" {
		name = exported(q.Name)
	}
	planned := &queue{Var: name + "Queue", Handler: name + "Handler", Constructor: "New" + name + "Consumer"}
	p.queues[q] = planned
	o := &owner{what: "the queue " + quoted(q.Name), pos: q.Pos, hint: "give the queue another Go name with name:"}
	return wish{thing: q, owner: o, names: []string{planned.Var, planned.Handler, planned.Constructor}}
}

func (p *planner) wishOfURN(u *schema.URN) wish {
	name := u.GoName
	if name == "" {
		name = messageName(u.URN)
	}
	p.message[u] = name
	o := &owner{what: "the URN " + quoted(u.URN), pos: u.Pos, hint: "give the URN another Go name with name:"}
	if name == "Close" {
		p.names.collide(name, &owner{what: "the method of Publishers"}, o)
	}
	w := wish{thing: u, owner: o, names: []string{name + "URN", name + "Handler", "On" + name, "def" + name}, file: fileName(name)}
	if !p.isItsData(u) {
		w.names = append([]string{name}, w.names...)
	}
	return w
}

// isItsData reports whether the message's data is the shared type of the same Go name, so that it needs no type of
// its own.
func (p *planner) isItsData(u *schema.URN) bool {
	return u.Data.Kind == schema.Ref && u.Data.Target.Owner == nil && p.message[u] == p.typeNames[u.Data.Target]
}

func (p *planner) planQueue(q *schema.Queue) *queue {
	planned := p.queues[q]
	planned.Name, planned.Topic = q.Name, q.Topic
	planned.MaxAttempts, planned.DeadLetter = q.MaxAttempts, q.DeadLetter
	last := "What cannot be handled is dropped."
	if q.DeadLetter != "" {
		last = "What cannot be handled goes to " + quoted(q.DeadLetter) + "."
	}
	planned.Doc = paragraphs(
		sentence("%s is the queue %s. %s", planned.Var, quoted(q.Name), last),
		text(q.Description))
	planned.HandlerDoc = sentence("%s handles every message of the queue %s.", planned.Handler, quoted(q.Name))
	planned.ConstructorDoc = sentence("%s makes a consumer of the queue %s that hands every message to h. Run starts it.",
		planned.Constructor, quoted(q.Name))
	return planned
}

func (p *planner) planMessage(u *schema.URN) *message {
	name := p.message[u]
	m := &message{
		File: fileName(name), URN: u.URN,
		Type: name, Const: name + "URN", Handler: name + "Handler", Method: "Handle" + name, On: "On" + name,
		Definition: "def" + name, Queue: p.queues[u.Queue],
	}
	p.documentMessage(u, m)
	payloadDoc := paragraphs(
		sentence("%s is the payload of %s.", name, quoted(u.URN)),
		text(u.Summary), text(u.Description), text(u.Data.Title), text(u.Data.Description), successor(p, u))
	o := p.owners[u]
	switch {
	case p.isItsData(u):
	case u.Data.Kind == schema.Ref:
		m.Decls = []decl{&aliasDecl{Name: name, Doc: payloadDoc, Of: p.types[u.Data.Target]}}
	default:
		w := &walker{planner: p, owner: o}
		w.declare(name, payloadDoc, u.Data)
		m.Decls = w.decls
	}
	for _, t := range u.Defs {
		m.Decls = append(m.Decls, p.planNamed(t, o, sentence("%s is the type %s of %s.", p.typeNames[t], quoted(t.Name), quoted(u.URN)))...)
	}
	if u.Data.Resolve().GoType != nil {
		p.names.findings = append(p.names.findings, schema.Diagnostic{
			Pos: u.Data.Resolve().GoType.Pos, Rule: ruleGoType,
			Message: "x-go-type cannot stand for a whole payload, here that of " + quoted(u.URN),
			Hint:    "put it on the members that need it",
		})
	}
	if u.Key != nil {
		m.Key = p.planKey(u)
	}
	return m
}

// documentMessage writes the comments of everything that a message has but its payload. What publishers call is marked
// as deprecated when the message is, and what only those call who choose to receive it; not what a service has to
// name to handle its whole queue.
func (p *planner) documentMessage(u *schema.URN, m *message) {
	gone := deprecation(p, u)
	about := text(u.Summary)
	m.ConstDoc = paragraphs(sentence("%s is the URN of %s.", m.Const, m.Type), about, gone)
	m.PublisherDoc = paragraphs(sentence("%s publishes %s to the queue %s.", m.Type, quoted(u.URN), quoted(u.Queue.Name)), about, gone)
	m.HandlerDoc = sentence("%s handles %s.", m.Handler, quoted(u.URN))
	m.MethodDoc = sentence("%s is called for each delivery. An error has it delivered again.", m.Method)
	m.OnDoc = paragraphs(sentence("%s routes %s to fn.", m.On, quoted(u.URN)), gone)
}

// deprecation is the paragraph that tools read as a deprecation, or nothing.
func deprecation(p *planner, u *schema.URN) doc {
	if u.Deprecated == nil {
		return nil
	}
	reason := text(u.Deprecated.Reason)
	if use := u.Deprecated.Use; use != nil {
		instead := fmt.Sprintf("use %s (%s) instead.", p.message[use], quoted(use.URN))
		reason = append(doc{instead}, reason...)
	}
	if len(reason) == 0 {
		reason = doc{"this message is no longer to be published."}
	}
	reason[0] = "Deprecated: " + reason[0]
	return reason
}

// successor tells readers of the payload's documentation the same in a way that tools do not see.
func successor(p *planner, u *schema.URN) doc {
	if u.Deprecated == nil {
		return nil
	}
	if use := u.Deprecated.Use; use != nil {
		return sentence("This message is deprecated; %s takes its place.", p.message[use])
	}
	return sentence("This message is deprecated.")
}

func packageDoc(c *schema.Catalog, pkg *codePackage) doc {
	first := sentence("Package %s has the messages of %s.", pkg.Name, pkg.Source)
	if c.Info.Title != "" {
		first = sentence("Package %s has the messages of %s: %s.", pkg.Name, pkg.Source, oneLine(c.Info.Title))
	}
	var owned doc
	if c.Info.Owner != "" {
		owned = sentence("Owner: %s", oneLine(c.Info.Owner))
	}
	return paragraphs(first, text(c.Info.Description), owned)
}

// quoted shows a name of the catalog in a comment or a finding, in quotes only where they help.
func quoted(name string) string {
	shown := clean(name)
	if shown == name && name != "" && name == oneLine(name) && !commands.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}
