package golang

import "github.com/babelqueue/bqgen/schema"

// Names are what the generated package calls the things of a catalog, for whoever writes about the code without
// generating it. They are the plan's own, never derived a second time.
type Names struct {
	Package  string
	Messages map[*schema.URN]MessageNames
	Queues   map[*schema.Queue]QueueNames
	Types    map[*schema.Type]string     // of the shared types and of those in $defs
	Fields   map[*schema.Property]string // of the struct that the property's object becomes; empty for a const, which needs none
}

// MessageNames are the names of what one URN becomes.
type MessageNames struct {
	Type      string // the payload
	Const     string // the URN
	Publisher string // the field of Publishers
	Handler   string // the interface
	Method    string // of the interface
	On        string // the function that makes a route
	File      string // the generated file
}

// QueueNames are the names of what one queue becomes.
type QueueNames struct {
	Var         string // its settings
	Handler     string // the interface of all its messages; nothing is generated for a queue without messages
	Constructor string // of the consumer; nor is this
}

// PlanNames decides the names for a catalog as [Generate] does, and like it gives findings instead when names cannot be
// told apart.
func PlanNames(c *schema.Catalog, o Options) (*Names, schema.Diagnostics) {
	if o.Package == "" {
		o.Package = c.Package
	}
	p := newPlanner(c)
	pkg, findings := p.plan(c, o.Package, o.Source)
	if findings.HasErrors() {
		return nil, findings
	}
	names := &Names{
		Package:  pkg.Name,
		Messages: make(map[*schema.URN]MessageNames, len(c.URNs)),
		Queues:   make(map[*schema.Queue]QueueNames, len(c.Queues)),
		Types:    make(map[*schema.Type]string, len(p.types)),
		Fields:   make(map[*schema.Property]string, len(p.fields)),
	}
	planned := make(map[string]*message, len(pkg.Messages))
	for _, m := range pkg.Messages {
		planned[m.URN] = m
	}
	for _, u := range c.URNs {
		m := planned[u.URN]
		names.Messages[u] = MessageNames{
			Type: m.Type, Const: m.Const, Publisher: m.Type, Handler: m.Handler, Method: m.Method, On: m.On, File: m.File,
		}
	}
	for q, planned := range p.queues {
		names.Queues[q] = QueueNames{Var: planned.Var, Handler: planned.Handler, Constructor: planned.Constructor}
	}
	for t, name := range p.typeNames {
		names.Types[t] = name
	}
	for property, f := range p.fields {
		names.Fields[property] = f.Name
	}
	return names, findings
}
