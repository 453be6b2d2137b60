package golang

import (
	"fmt"

	"github.com/babelqueue/bqgen/schema"
)

// ruleGoType is the rule about types of the user's where they cannot be used.
const ruleGoType = "go-type-place"

func (p *planner) planMessage(u *schema.URN) *message {
	names := p.names.Messages[u]
	m := &message{
		File: names.File, CodecFile: names.CodecFile, URN: u.URN,
		Type: names.Type, Const: names.Const, Publisher: names.Publisher, Publishes: names.Publishes,
		Handler: names.Handler, Method: names.Method,
		On: names.On, OnBatch: names.OnBatch, Definition: names.Definition, Codec: names.Codec, Queue: p.queues[u.Queue],
		IsChecked: p.constraints.has(u.Data),
	}
	p.documentMessage(u, m)
	m.declarations = newDeclarations(p.payload(u))
	if u.Data.Resolve().GoType != nil {
		p.findings = append(p.findings, schema.Diagnostic{
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

// payload declares the payload of u and the types of its $defs.
func (p *planner) payload(u *schema.URN) []decl {
	name := p.names.Messages[u].Type
	about := paragraphs(
		sentence("%s is the payload of %s.", name, quoted(u.URN)),
		prose(u.Summary), prose(u.Description),
		prose(u.Data.Title), prose(u.Data.Description), sentences(limits(u.Data)),
		p.successor(u))
	var decls []decl
	switch {
	case p.names.SharesType(u):
	case u.Data.Kind == schema.Ref:
		decls = []decl{&aliasDecl{Name: name, Doc: about, Of: p.types[u.Data.Target]}}
	default:
		w := &walker{planner: p}
		w.declare(name, about, u.Data)
		decls = w.decls
	}
	for _, t := range u.Defs {
		first := sentence("%s is the type %s of %s.", p.names.Types[t], quoted(t.Name), quoted(u.URN))
		decls = append(decls, p.planNamed(t, first)...)
	}
	return decls
}

// documentMessage writes the comments of everything that a message becomes except its payload. What publishers call is
// deprecated when the message is, and what only those call who choose to receive it; not what a service has to name to
// handle its whole queue.
func (p *planner) documentMessage(u *schema.URN, m *message) {
	urn, deprecated := quoted(u.URN), p.deprecation(u)
	m.ConstDoc = deprecated
	m.PublisherDoc = paragraphs(
		sentence("%s publishes %s to the queue %s.", m.Publisher, urn, quoted(u.Queue.Name)), deprecated)
	m.HandlerDoc = sentence("%s handles %s.", m.Handler, urn)
	m.MethodDoc = sentence("%s is called for each delivery and must return when ctx is done. Returning an error "+
		"retries the delivery; see bq.Permanent and bq.RetryAfter.", m.Method)
	m.PublishesDoc = paragraphs(
		sentence("%s publishes %s. Publishers.%s does; tests can use a fake.", m.Publishes, urn, m.Publisher), deprecated)
	m.DefinitionDoc = sentence("%s returns what package bq has to know of %s.", m.Definition, urn)
	m.OnDoc = paragraphs(sentence("%s routes %s to fn.", m.On, urn), deprecated)
	m.OnBatchDoc = paragraphs(sentence("%s routes %s to fn, several messages at a time.", m.OnBatch, urn), deprecated)
}

// deprecation is the paragraph that tools recognize as a deprecation, or nothing.
func (p *planner) deprecation(u *schema.URN) doc {
	if u.Deprecated == nil {
		return nil
	}
	reason := prose(u.Deprecated.Reason)
	if use := u.Deprecated.Use; use != nil {
		instead := fmt.Sprintf("use %s (%s) instead.", p.names.Messages[use].Type, quoted(use.URN))
		reason = append(doc{instead}, reason...)
	}
	if len(reason) == 0 {
		reason = doc{"do not publish this message any more."}
	}
	reason[0] = deprecatedMark + reason[0]
	return reason
}

// deprecatedMark starts a paragraph that tools recognize as a deprecation.
const deprecatedMark = "Deprecated: "

// successor tells readers of the payload's documentation the same in a way that tools do not recognize.
func (p *planner) successor(u *schema.URN) doc {
	switch {
	case u.Deprecated == nil:
		return nil
	case u.Deprecated.Use != nil:
		return sentence("This message is deprecated; %s replaces it.", p.names.Messages[u.Deprecated.Use].Type)
	}
	return sentence("This message is deprecated.")
}
