package docs

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// A builder makes the model of a catalog.
type builder struct {
	owned    map[*schema.Queue]map[string]*schema.Service // the services of each queue, by name
	names    *gonames.Names
	site     *site
	messages map[*schema.URN]*message
	types    map[*schema.Type]*typePage
	queues   map[*schema.Queue]*queuePage
	services map[string]*service
	used     map[use]bool
	shapes   map[shapeKey]*shape
	paths    int // size of the paths in all shapes
}

func build(c *schema.Catalog, names *gonames.Names) *site {
	b := &builder{
		names: names,
		site: &site{
			Title:       text.OneLine(c.Info.Title),
			Owner:       text.OneLine(c.Info.Owner),
			Description: paragraphs(c.Info.Description),
			Package:     names.Package,
			Source:      name(filepath.Base(c.File)),
		},
		messages: map[*schema.URN]*message{},
		types:    map[*schema.Type]*typePage{},
		queues:   map[*schema.Queue]*queuePage{},
		services: map[string]*service{},
		used:     map[use]bool{},
		shapes:   map[shapeKey]*shape{},
	}
	if b.site.Title == "" {
		b.site.Title = names.Package
	}
	b.declareTypes(c)
	b.declareQueues(c)
	b.declareMessages(c)
	for _, t := range c.Types {
		b.fillType(t)
	}
	for _, u := range c.URNs {
		for _, t := range u.Defs {
			b.fillType(t)
		}
		b.fillMessage(u)
	}
	b.listServices()
	b.share()
	b.site.Flow = layOut(b.site)
	return b.site
}

// The declare methods give everything its page, so that others can link to it.

func (b *builder) declareTypes(c *schema.Catalog) {
	for _, t := range c.Types {
		from := ""
		if t.Pos.File != c.File {
			from = relative(c.File, t.Pos.File)
		}
		b.declareType(t, from)
	}
	for _, u := range c.URNs {
		for _, t := range u.Defs {
			b.declareType(t, u.URN)
		}
	}
}

func (b *builder) declareType(t *schema.Type, from string) {
	p := &typePage{Page: pagename.Type(t.Name, from), Name: name(t.Name), GoName: b.names.Types[t]}
	if from != "" {
		p.From = name(from)
	}
	b.types[t] = p
	b.site.Types = append(b.site.Types, p)
}

// relative returns the path of another file as seen from the catalog.
func relative(catalog, file string) string {
	if rel, err := filepath.Rel(filepath.Dir(catalog), file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}

func (b *builder) declareQueues(c *schema.Catalog) {
	used := map[*schema.Queue]bool{}
	for _, u := range c.URNs {
		used[u.Queue] = true
	}
	for _, q := range c.Queues {
		p := &queuePage{
			Page:        pagename.Queue(q.Name),
			Name:        name(q.Name),
			GoName:      b.names.Queues[q].Function,
			Description: paragraphs(q.Description),
			Topic:       name(q.Topic),
			MaxAttempts: q.MaxAttempts,
		}
		if q.DeadLetter != "" {
			p.DeadLetter = name(q.DeadLetter)
		}
		if name(q.Name) == q.Name { // else a part of it cannot be seen, and should not be copied
			p.Commands = commands(q)
		}
		if used[q] && len(q.Services) == 0 {
			queue := b.names.Queues[q]
			p.Consume = goCode(consumeSnippet(
				b.names.Package, gonames.Service{Handler: queue.Handler, Constructor: queue.Constructor}))
		}
		b.queues[q] = p
		b.site.Queues = append(b.site.Queues, p)
	}
}

func (b *builder) declareMessages(c *schema.Catalog) {
	for _, u := range c.URNs {
		m := &message{
			Page:   pagename.URN(u.URN),
			URN:    name(u.URN),
			GoName: b.names.Messages[u].Type,
			Queue:  b.queues[u.Queue],
		}
		for _, t := range u.Defs {
			m.Defs = append(m.Defs, b.types[t])
		}
		b.messages[u] = m
		b.site.Messages = append(b.site.Messages, m)
		m.Queue.Messages = append(m.Queue.Messages, m)
	}
}

func (b *builder) fillType(t *schema.Type) {
	p := b.types[t]
	p.Description, p.Deprecated = paragraphs(t.Schema.Description), t.Schema.Deprecated
	p.Shape = b.shapeOf(t.Schema, nil)
	p.words = searchWords(p.Name, p.GoName, strings.Join(p.Description, " "))
	if t.Owner == nil {
		b.noteUses(t.Schema, link{Text: p.Name, Page: p.Page})
	}
}

func (b *builder) fillMessage(u *schema.URN) {
	m := b.messages[u]
	m.Summary, m.Description = text.OneLine(u.Summary), paragraphs(u.Description)
	if u.Deprecated != nil {
		m.Deprecated = &deprecation{Use: b.messages[u.Deprecated.Use], Reason: text.OneLine(u.Deprecated.Reason)}
	}
	b.fillPayload(u, m)
	b.fillServices(u, m)
	m.urn, m.names = u, b.names
	m.words = searchWords(m.GoName, m.URN, m.Summary, m.Queue.Name,
		serviceNames(m.Publishers), serviceNames(m.Consumers))
	self := link{Text: m.GoName, Page: m.Page}
	b.noteUses(u.Data, self)
	for _, t := range u.Defs {
		b.noteUses(t.Schema, self)
	}
}

// fillPayload sets what m has from its payload.
func (b *builder) fillPayload(u *schema.URN, m *message) {
	var key *schema.Property
	if u.Key != nil {
		m.Key = name(u.Key.Pointer)
		key = u.Key.Path[len(u.Key.Path)-1]
	}
	if u.Data.Kind == schema.Ref {
		m.Type = b.types[u.Data.Target]
	}
	m.Payload = b.shapeOf(u.Data.Resolve(), key)
}

func (b *builder) listServices() {
	for _, s := range b.services {
		b.site.Services = append(b.site.Services, s)
	}
	slices.SortFunc(b.site.Services, func(a, b *service) int { return strings.Compare(a.Name+a.Page, b.Name+b.Page) })
}

// A use is that a service publishes to a queue, or receives from it.
type use struct {
	queue    *queuePage
	service  *service
	receives bool
}

// isNew reports whether a use is met for the first time.
func (b *builder) isNew(u use) bool {
	if b.used[u] {
		return false
	}
	b.used[u] = true
	return true
}

func serviceNames(list []*service) string { return strings.Join(namesOf(list), " ") }

// noteUses adds user to the uses of each type that s refers to.
func (b *builder) noteUses(s *schema.Schema, user link) {
	switch s.Kind {
	case schema.Ref:
		t := b.types[s.Target]
		if n := len(t.UsedBy); n == 0 || t.UsedBy[n-1] != user { // one user comes after the other
			t.UsedBy = append(t.UsedBy, user)
		}
	case schema.Array:
		b.noteUses(s.Items, user)
	case schema.Union:
		for _, branch := range s.Branches {
			b.noteUses(branch.Schema, user)
		}
	case schema.Object:
		for _, p := range s.Properties {
			b.noteUses(p.Schema, user)
		}
		if s.AdditionalSchema != nil {
			b.noteUses(s.AdditionalSchema, user)
		}
	}
}

// maxIndentation is how many bytes line ends and indentation of an example have at most.
const maxIndentation = 4 << 20

// indented returns JSON with line ends and indentation, and otherwise as it is. One that is so large and so deep that
// it would be mostly indentation stays on its line.
func indented(example []byte) string {
	if indentation(example) > maxIndentation {
		return text.Visible(string(example))
	}
	var b bytes.Buffer
	if err := json.Indent(&b, example, "", "  "); err != nil {
		panic("docs: a checked example is not JSON: " + err.Error()) // a bug
	}
	return text.Visible(b.String())
}

// indentation returns about how many bytes json.Indent adds to compact JSON.
func indentation(compact []byte) (size int) {
	depth, inText := 0, false
	for i := 0; i < len(compact); i++ {
		switch c := compact[i]; {
		case inText:
			if c == '\\' {
				i++
			}
			inText = c != '"'
		case c == '"':
			inText = true
		case c == '{' || c == '[':
			depth++
			size += 1 + 2*depth
		case c == '}' || c == ']':
			depth--
			size += 1 + 2*depth
		case c == ',':
			size += 1 + 2*depth
		}
	}
	return size
}
