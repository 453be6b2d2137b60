package golang

import (
	"fmt"
	"path/filepath"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// plan decides the Go code for a catalog. The findings are what the catalog has to change before there can be code.
func plan(c *schema.Catalog, packageName, source string) (*codePackage, schema.Diagnostics) {
	names, findings := gonames.Of(c)
	p := &planner{
		catalog:     c,
		names:       names,
		types:       map[*schema.Type]typ{},
		queues:      map[*schema.Queue]*queue{},
		fields:      map[*schema.Property]field{},
		constraints: constraints{},
	}
	pkg := &codePackage{Name: packageName, Source: text.OneLine(source)}
	pkg.Doc = packageDoc(c, pkg)
	p.planTypes()
	for _, q := range c.Queues {
		p.queues[q] = p.planQueue(q)
		pkg.Queues = append(pkg.Queues, p.queues[q])
	}
	var shared []decl
	for _, t := range c.Types {
		shared = append(shared, p.planNamed(t, p.sharedDoc(t))...)
	}
	pkg.Types = newDeclarations(shared)
	type payload struct {
		queue *queue
		name  string
	}
	met := map[payload]bool{}
	messages := make(map[*schema.URN]*message, len(c.URNs))
	for _, u := range c.URNs {
		m := p.planMessage(u)
		pkg.Messages = append(pkg.Messages, m)
		m.Queue.Messages = append(m.Queue.Messages, m)
		messages[u] = m
		if t := (payload{m.Queue, p.payloadType(u)}); !met[t] {
			met[t] = true
			m.Queue.Payloads = append(m.Queue.Payloads, t.name)
		}
	}
	for _, q := range c.Queues {
		for i, s := range q.Services {
			for _, u := range s.URNs {
				planned := p.queues[q].Services[i]
				planned.Messages = append(planned.Messages, messages[u])
			}
		}
	}
	for _, q := range pkg.Queues {
		q.PayloadDoc = payloadDoc(q)
	}
	return pkg, findings.Merge(schema.NewDiagnostics(p.findings...))
}

// A planner makes a plan in one pass over the catalog.
type planner struct {
	catalog     *schema.Catalog
	names       *gonames.Names
	types       map[*schema.Type]typ
	queues      map[*schema.Queue]*queue
	fields      map[*schema.Property]field
	constraints constraints
	findings    []schema.Diagnostic
	ruleSize    int // of all rules so far, in bytes
}

// planTypes decides how the catalog's types are used, before anything uses them.
func (p *planner) planTypes() {
	for _, t := range p.catalog.Types {
		p.types[t] = p.typeOf(p.names.Types[t], t.Schema)
	}
	for _, u := range p.catalog.URNs {
		for _, t := range u.Defs {
			p.types[t] = p.typeOf(p.names.Types[t], t.Schema)
		}
	}
	for t, used := range p.types {
		if a, ok := used.(*alias); ok && t.Schema.Kind == schema.Ref {
			a.Of = p.types[t.Schema.Target]
		}
	}
}

func packageDoc(c *schema.Catalog, pkg *codePackage) doc {
	first := sentence("Package %s contains the messages defined in %s.", pkg.Name, pkg.Source)
	if c.Info.Title != "" {
		title := text.OneLine(c.Info.Title)
		first = sentence("Package %s contains the messages defined in %s: %s.", pkg.Name, pkg.Source, title)
	}
	var owned doc
	if c.Info.Owner != "" {
		owned = sentence("Owner: %s", text.OneLine(c.Info.Owner))
	}
	return paragraphs(first, prose(c.Info.Description), owned)
}

// sharedDoc says where a shared type comes from.
func (p *planner) sharedDoc(t *schema.Type) doc {
	name := p.names.Types[t]
	if t.Pos.File != p.catalog.File && t.Pos.File != "" {
		return sentence("%s is the type %s of %s.", name, quoted(t.Name), quoted(filepath.ToSlash(t.Pos.File)))
	}
	return sentence("%s is the type %s of the catalog.", name, quoted(t.Name))
}

func (p *planner) planQueue(q *schema.Queue) *queue {
	names := p.names.Queues[q]
	name, last := quoted(q.Name), "Messages that cannot be handled are dropped."
	switch {
	case q.DeadLetter != "":
		last = "Messages that cannot be handled go to " + quoted(q.DeadLetter) + "."
	case q.KeepsDeadLetters():
		last = "Each of its services receives the messages that name it."
	}
	var services []*service
	for _, s := range q.Services {
		services = append(services, p.planService(s))
	}
	return &queue{
		Services: services,
		Function: names.Function, Handler: names.Handler, Constructor: names.Constructor,
		Payload: names.Payload, Marker: names.Marker, Decodings: names.Decodings, Read: names.Read,
		Stream: names.Stream,
		Name:   q.Name, Topic: q.Topic, MaxAttempts: q.MaxAttempts, DeadLetter: q.DeadLetter,
		Doc:        paragraphs(sentence("%s returns the queue %s. %s", names.Function, name, last), prose(q.Description)),
		HandlerDoc: sentence("%s handles the messages of the queue %s.", names.Handler, name),
		ConstructorDoc: sentence(
			"%s returns a consumer that passes each message of the queue %s to h. Call Run to start it.",
			names.Constructor, name),
		ReadDoc: sentence("%s returns the messages on the topic of the queue %s, from the oldest to the last one unless "+
			"options say otherwise. It does not consume them; see bq.Read.", names.Read, name),
		StreamDoc: sentence("%s returns a stream of the messages of the queue %s, to be ranged over instead of handled.",
			names.Stream, name),
	}
}

func (p *planner) planService(s *schema.Service) *service {
	names := p.names.Services[s]
	of := fmt.Sprintf("the service %s of the queue %s", quoted(s.Name), quoted(s.Queue.Name))
	last := "Messages that it cannot handle are dropped."
	if s.DeadLetter != "" {
		last = "Messages that it cannot handle go to " + quoted(s.DeadLetter) + "."
	}
	return &service{
		Name: s.Name, RetryTopic: s.RetryTopic, DeadLetter: s.DeadLetter,
		Handler: names.Handler, Constructor: names.Constructor,
		HandlerDoc: sentence("%s handles the messages that %s receives.", names.Handler, of),
		ConstructorDoc: sentence("%s returns a consumer that passes each message that %s receives to h, "+
			"whatever other services do. %s Call Run to start it.", names.Constructor, of, last),
	}
}
