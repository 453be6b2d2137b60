package docs

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// A builder makes the model of a catalog.
type builder struct {
	names    *gonames.Names
	site     *site
	messages map[*schema.URN]*message
	types    map[*schema.Type]*typePage
	queues   map[*schema.Queue]*queuePage
	services map[string]*service
}

func build(c *schema.Catalog, names *gonames.Names) *site {
	b := &builder{
		names: names,
		site: &site{
			Title: line(c.Info.Title), Owner: line(c.Info.Owner), Description: paragraphs(c.Info.Description),
			Package: names.Package, Source: name(filepath.Base(c.File)),
		},
		messages: map[*schema.URN]*message{},
		types:    map[*schema.Type]*typePage{},
		queues:   map[*schema.Queue]*queuePage{},
		services: map[string]*service{},
	}
	if b.site.Title == "" {
		b.site.Title = names.Package
	}
	b.declare(c)
	for _, t := range c.Types {
		b.site.Types = append(b.site.Types, b.typePage(t))
	}
	for _, u := range c.URNs {
		for _, t := range u.Defs {
			b.messages[u].Defs = append(b.messages[u].Defs, b.typePage(t))
		}
		b.site.Types = append(b.site.Types, b.messages[u].Defs...)
		b.fill(u)
	}
	for _, q := range b.site.Queues {
		b.consume(q)
	}
	for _, s := range b.services {
		b.site.Services = append(b.site.Services, s)
	}
	slices.SortFunc(b.site.Services, func(a, b *service) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	b.site.Flow = layOut(b.site)
	return b.site
}

// declare gives everything its page, before anything links to it.
func (b *builder) declare(c *schema.Catalog) {
	declareType := func(t *schema.Type, from string) {
		p := &typePage{Page: pagename.Type(t.Name, from), Name: name(t.Name), GoName: b.names.Types[t]}
		if from != "" {
			p.From = name(from)
		}
		b.types[t] = p
	}
	for _, t := range c.Types {
		from := ""
		if t.Pos.File != c.File {
			from = relative(c.File, t.Pos.File)
		}
		declareType(t, from)
	}
	for _, q := range c.Queues {
		page := &queuePage{
			Page: pagename.Queue(q.Name), Name: name(q.Name), GoName: b.names.Queues[q].Var, Description: paragraphs(q.Description),
			Topic: name(q.Topic), MaxAttempts: q.MaxAttempts,
		}
		if q.DeadLetter != "" {
			page.DeadLetter = name(q.DeadLetter)
		}
		b.queues[q] = page
		b.site.Queues = append(b.site.Queues, page)
	}
	for _, u := range c.URNs {
		m := &message{Page: pagename.URN(u.URN), URN: name(u.URN), GoName: b.names.Messages[u].Type, Queue: b.queues[u.Queue]}
		b.messages[u] = m
		b.site.Messages = append(b.site.Messages, m)
		m.Queue.Messages = append(m.Queue.Messages, m)
		for _, t := range u.Defs {
			declareType(t, u.URN)
		}
	}
}

// relative is where another file is, as seen from the catalog.
func relative(catalog, file string) string {
	if rel, err := filepath.Rel(filepath.Dir(catalog), file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

func (b *builder) typePage(t *schema.Type) *typePage {
	p := b.types[t]
	sh := &shaper{names: b.names, types: b.types}
	p.Description, p.Deprecated = paragraphs(t.Schema.Description), t.Schema.Deprecated
	p.Shape = sh.shape(t.Schema)
	p.Words = words(p.Name, p.GoName, strings.Join(p.Description, " "), strings.Join(sh.words, " "))
	if t.Owner != nil {
		return p
	}
	b.use(t.Schema, link{Text: p.Name, Page: p.Page})
	return p
}

func (b *builder) fill(u *schema.URN) {
	m := b.messages[u]
	m.Summary, m.Description = line(u.Summary), paragraphs(u.Description)
	if u.Deprecated != nil {
		m.Deprecated = &deprecation{Use: b.messages[u.Deprecated.Use], Reason: line(u.Deprecated.Reason)}
	}
	sh := &shaper{names: b.names, types: b.types}
	if u.Key != nil {
		m.Key = name(u.Key.Pointer)
		sh.key = u.Key.Path[len(u.Key.Path)-1]
	}
	if u.Data.Kind == schema.Ref {
		m.Type = b.types[u.Data.Target]
	}
	m.Payload = sh.shape(u.Data.Resolve())
	for _, r := range m.Payload.Rows {
		if r.Key {
			m.KeyRow = r.ID
		}
	}
	for _, s := range u.Publishers {
		s := b.service(s)
		s.Sends = append(s.Sends, m)
		m.Publishers = append(m.Publishers, s)
		m.Queue.Senders = appendNew(m.Queue.Senders, s)
	}
	for _, s := range u.Consumers {
		s := b.service(s)
		s.Handles = append(s.Handles, m)
		m.Consumers = append(m.Consumers, s)
		m.Queue.Listeners = appendNew(m.Queue.Listeners, s)
	}
	for _, e := range u.Examples {
		m.Examples = append(m.Examples, pretty(e.JSON))
	}
	m.Publish, m.Handle = goTokens(publishSnippet(u, b.names)), goTokens(handleSnippet(u, b.names))
	m.Words = words(m.GoName, m.URN, m.Summary, m.Queue.Name, serviceNames(m.Publishers), serviceNames(m.Consumers), strings.Join(sh.words, " "))
	self := link{Text: m.GoName, Page: m.Page}
	b.use(u.Data, self)
	for _, t := range u.Defs {
		b.use(t.Schema, self)
	}
}

func (b *builder) service(s string) *service {
	found := b.services[s]
	if found == nil {
		found = &service{Name: name(s), ID: pagename.Service(s)}
		b.services[s] = found
	}
	return found
}

func appendNew(list []*service, s *service) []*service {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func serviceNames(list []*service) string {
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

// use notes for each type that s refers to that user has a use for it.
func (b *builder) use(s *schema.Schema, user link) {
	switch s.Kind {
	case schema.Ref:
		if t := b.types[s.Target]; !slices.Contains(t.UsedBy, user) {
			t.UsedBy = append(t.UsedBy, user)
		}
	case schema.Array:
		b.use(s.Items, user)
	case schema.Union:
		for _, branch := range s.Branches {
			b.use(branch.Schema, user)
		}
	case schema.Object:
		for _, p := range s.Properties {
			b.use(p.Schema, user)
		}
		if s.AdditionalSchema != nil {
			b.use(s.AdditionalSchema, user)
		}
	}
}

func (b *builder) consume(q *queuePage) {
	for schemaQueue, page := range b.queues {
		if page == q && len(q.Messages) > 0 {
			q.Consume = goTokens(consumeSnippet(b.names, b.names.Queues[schemaQueue]))
		}
	}
}

// words is what a search looks through.
func words(texts ...string) string { return strings.ToLower(line(strings.Join(texts, " "))) }

// pretty is JSON with line ends, as it is otherwise.
func pretty(text []byte) code {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		panic("docs: an example that was checked is no JSON: " + err.Error()) // a bug
	}
	return jsonTokens(clean(b.String()))
}
