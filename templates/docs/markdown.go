package docs

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/fileset"
)

// The first page and the picture of the Markdown format.
const (
	markdownIndex = "README"
	pictureFile   = "flow.svg"
)

// writeMarkdown puts a site on pages of GitHub-flavoured Markdown.
func writeMarkdown(s *site, header string) (map[string][]byte, error) {
	var files fileset.Collector
	var err error
	write := func(page string, fill func(*markdownPage)) {
		if err == nil {
			p := newMarkdownPage(header)
			fill(p)
			err = files.Add(page+".md", p.bytes())
		}
	}
	write(markdownIndex, s.markdown)
	for _, m := range s.Messages {
		write(m.Page, func(p *markdownPage) { m.markdown(p, s) })
	}
	for _, t := range s.Types {
		write(t.Page, func(p *markdownPage) { t.markdown(p, s) })
	}
	for _, q := range s.Queues {
		write(q.Page, func(p *markdownPage) { q.markdown(p, s) })
	}
	for _, service := range s.Services {
		write(service.Page, service.markdown)
	}
	if err == nil && len(s.Flow.Edges) > 0 {
		var picture []byte
		if picture, err = standaloneSVG(s, header); err == nil {
			err = files.Add(pictureFile, picture)
		}
	}
	return files.Files(), err
}

// markdown writes the first page.
func (s *site) markdown(p *markdownPage) {
	p.block("# %s", mdText(s.Title))
	p.paragraphs(s.Description)
	about := fmt.Sprintf("Generated from %s. Go package: %s.", mdCode(s.Source), mdCode(s.Package))
	if s.Owner != "" {
		about = "Owner: " + mdText(s.Owner) + ". " + about
	}
	p.block("%s", about)
	if len(s.Flow.Edges) > 0 {
		p.block("## Message flow")
		p.block("![Services that publish, messages by queue, and services that handle them](%s)", pictureFile)
	}
	s.markdownMessages(p)
	s.markdownQueues(p)
	s.markdownTypes(p)
	s.markdownServices(p)
}

func (s *site) markdownMessages(p *markdownPage) {
	p.block("## Messages")
	if len(s.Messages) == 0 {
		p.block("The catalog has no messages yet.")
	}
	for _, q := range s.Queues {
		if len(q.Messages) > 0 {
			p.block("### %s", mdLink(q.Name, q.Page))
			p.messages(q.Messages)
		}
	}
}

func (s *site) markdownQueues(p *markdownPage) {
	p.block("## Queues")
	if len(s.Queues) == 0 {
		p.block("The catalog has no queues yet.")
		return
	}
	var rows [][]string
	for _, q := range s.Queues {
		rows = append(rows, []string{mdLink(q.Name, q.Page), mdCode(q.Topic), fmt.Sprint(q.MaxAttempts), q.markdownDead()})
	}
	p.table([]string{"Queue", "Topic", "Attempts", "Dead letters"}, rows)
}

func (s *site) markdownTypes(p *markdownPage) {
	if len(s.Types) == 0 {
		return
	}
	p.block("## Types")
	var items []string
	for _, t := range s.Types {
		item := mdLink(t.Name, t.Page)
		if t.From != "" {
			item += ", defined in " + mdInline(t.From)
		}
		if len(t.Description) > 0 {
			item += ": " + mdInline(t.Description[0])
		}
		items = append(items, item)
	}
	p.list(items)
}

func (m *message) markdown(p *markdownPage, s *site) {
	p.block("[Catalog](%s.md) / %s", markdownIndex, mdLink(m.Queue.Name, m.Queue.Page))
	p.block("# %s", mdText(m.GoName))
	p.block("%s", mdCode(m.URN))
	if m.Summary != "" {
		p.block("**%s**", mdInline(m.Summary))
	}
	if m.Deprecated != nil {
		p.block("> **Deprecated.**%s", m.Deprecated.markdown())
	}
	p.paragraphs(m.Description)
	p.list(m.markdownFacts(s))
	p.block("## Fields")
	if len(m.Payload.Rows) == 0 {
		p.block("The payload declares no fields. Its type: %s.", mdPhrase(m.Payload.Type))
	}
	p.shape(m.Payload)
	examples := m.Examples()
	switch len(examples) {
	case 0:
	case 1:
		p.block("## Example")
	default:
		p.block("## Examples")
	}
	for _, e := range examples {
		p.code("json", e)
	}
	p.block("## In Go")
	p.block("### Publish")
	p.code("go", m.Publish())
	p.block("### Handle")
	p.code("go", m.Handle())
}

func (m *message) markdownFacts(s *site) []string {
	facts := []string{
		"Published by: " + mdServices(m.Publishers),
		m.HandledBy() + ": " + mdServices(m.Consumers),
		"Queue: " + mdLink(m.Queue.Name, m.Queue.Page),
	}
	if m.Key != "" {
		facts = append(facts, "Message key: "+mdCode(m.Key))
	}
	if s.Owner != "" {
		facts = append(facts, "Owner: "+mdInline(s.Owner))
	}
	if m.Type != nil {
		facts = append(facts, "Payload: "+mdLink(m.Type.Name, m.Type.Page))
	}
	if len(m.Defs) > 0 {
		var defs []link
		for _, t := range m.Defs {
			defs = append(defs, link{Text: t.Name, Page: t.Page})
		}
		facts = append(facts, "Types defined here: "+mdLinks(defs))
	}
	return facts
}

// markdown returns what follows the word Deprecated.
func (d *deprecation) markdown() string {
	text := ""
	if d.Use != nil {
		text += " Use " + mdLink(d.Use.GoName, d.Use.Page) + " instead."
	}
	if d.Reason != "" {
		text += " " + mdInline(d.Reason)
	}
	return text
}

func (t *typePage) markdown(p *markdownPage, s *site) {
	p.block("[Catalog](%s.md)", markdownIndex)
	p.block("# %s", mdText(t.Name))
	if t.From != "" {
		p.block("Defined in %s.", mdInline(t.From))
	}
	if t.Deprecated {
		p.block("> **Deprecated.**")
	}
	p.paragraphs(t.Description)
	facts := []string{"JSON type: " + mdPhrase(t.Shape.Type)}
	if t.GoName != "" {
		facts = append(facts, "Go type: "+mdCode(s.Package+"."+t.GoName))
	}
	if len(t.UsedBy) > 0 {
		facts = append(facts, "Used by: "+mdLinks(t.UsedBy))
	}
	p.list(facts)
	if len(t.Shape.Rows) > 0 {
		p.block("## Fields")
	}
	p.shape(t.Shape)
}

func (q *queuePage) markdown(p *markdownPage, s *site) {
	p.block("[Catalog](%s.md)", markdownIndex)
	p.block("# %s", mdText(q.Name))
	p.paragraphs(q.Description)
	p.list([]string{
		"Topic: " + mdCode(q.Topic),
		fmt.Sprintf("Maximum attempts: %d", q.MaxAttempts),
		"Dead letters: " + q.markdownDead(),
		"Published by: " + mdServices(q.Publishers),
		q.HandledBy() + ": " + mdServices(q.Consumers),
		"Go: " + mdCode(s.Package+"."+q.GoName),
	})
	if len(q.Messages) > 0 {
		p.block("## Messages")
		p.messages(q.Messages)
	}
	if q.Group != nil {
		p.block("The consumers share the messages: each message goes to one of them.")
	}
	q.markdownServices(p)
	if q.Consume != nil {
		p.block("## In Go")
		p.block("A consumer of the whole queue handles every message. The compiler checks that.")
		p.code("go", q.Consume)
	}
	if q.Commands != nil {
		p.block("## Commands")
		p.code("sh", q.Commands)
	}
}
