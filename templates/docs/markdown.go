package docs

import (
	"fmt"
	"strings"
)

// The first page and the picture of the Markdown format.
const (
	markdownIndex = "README"
	pictureFile   = "flow.svg"
)

// writeMarkdown puts a site on pages of GitHub-flavoured Markdown.
func writeMarkdown(s *site) (map[string][]byte, error) {
	files := map[string][]byte{markdownIndex + ".md": markdownFirstPage(s)}
	for _, m := range s.Messages {
		files[m.Page+".md"] = markdownMessage(s, m)
	}
	for _, t := range s.Types {
		files[t.Page+".md"] = markdownType(s, t)
	}
	for _, q := range s.Queues {
		files[q.Page+".md"] = markdownQueue(s, q)
	}
	picture, err := standaloneSVG(s)
	if err == nil && len(s.Flow.Edges) > 0 {
		files[pictureFile] = picture
	}
	return files, err
}

// A markdownPage grows by blocks, with an empty line between them.
type markdownPage struct{ strings.Builder }

func newMarkdownPage() *markdownPage {
	p := &markdownPage{}
	p.WriteString(generated + "\n")
	return p
}

// block adds a block. What comes from the catalog must be escaped already.
func (p *markdownPage) block(format string, args ...any) {
	fmt.Fprintf(p, "\n"+format+"\n", args...)
}

func (p *markdownPage) paragraphs(texts []string) {
	for _, text := range texts {
		p.block("%s", mdText(text))
	}
}

func (p *markdownPage) code(language string, c code) {
	fence := mdFence(c.String(), 3)
	p.block("%s%s\n%s\n%s", fence, language, strings.TrimRight(c.String(), "\n"), fence)
}

// table adds a table; its cells must be escaped already.
func (p *markdownPage) table(head []string, rows [][]string) {
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat(" --- |", len(head)))
	for _, row := range rows {
		b.WriteString("\n| " + strings.Join(row, " | ") + " |")
	}
	p.block("%s", b.String())
}

func (p *markdownPage) bytes() []byte { return []byte(p.String()) }

func markdownFirstPage(s *site) []byte {
	p := newMarkdownPage()
	p.block("# %s", mdText(s.Title))
	p.paragraphs(s.Description)
	about := fmt.Sprintf("Made from %s, Go package %s.", mdCode(s.Source), mdCode(s.Package))
	if s.Owner != "" {
		about = "Owner: " + mdText(s.Owner) + ". " + about
	}
	p.block("%s", about)
	if len(s.Flow.Edges) > 0 {
		p.block("## Who publishes what to whom\n\n![Services that publish, the messages by queue, and services that handle them](%s)", pictureFile)
	}
	p.block("## Messages")
	for _, q := range s.Queues {
		if len(q.Messages) > 0 {
			p.block("### %s", mdLink(q.Name, q.Page))
			p.table([]string{"Message", "What it says", "Published by", "Handled by"}, markdownMessages(q.Messages))
		}
	}
	p.block("## Queues")
	var rows [][]string
	for _, q := range s.Queues {
		dead := "dropped"
		if q.DeadLetter != "" {
			dead = mdCode(q.DeadLetter)
		}
		rows = append(rows, []string{mdLink(q.Name, q.Page), mdCode(q.Topic), fmt.Sprint(q.MaxAttempts), dead})
	}
	p.table([]string{"Queue", "Topic", "Attempts", "Dead letters"}, rows)
	if len(s.Types) > 0 {
		p.block("## Types")
		var list []string
		for _, t := range s.Types {
			item := "- " + mdLink(t.Name, t.Page)
			if t.From != "" {
				item += " of " + mdText(t.From)
			}
			if len(t.Description) > 0 {
				item += ": " + mdText(t.Description[0])
			}
			list = append(list, item)
		}
		p.block("%s", strings.Join(list, "\n"))
	}
	return p.bytes()
}

func markdownMessages(messages []*message) [][]string {
	var rows [][]string
	for _, m := range messages {
		first := mdLink(m.GoName, m.Page) + "<br>" + mdCode(m.URN)
		if m.Deprecated != nil {
			first += "<br>*deprecated*"
		}
		rows = append(rows, []string{first, mdText(m.Summary), markdownServices(m.Publishers), markdownServices(m.Consumers)})
	}
	return rows
}

func markdownServices(services []*service) string {
	if len(services) == 0 {
		return "*nobody yet*"
	}
	var names []string
	for _, s := range services {
		names = append(names, mdText(s.Name))
	}
	return strings.Join(names, ", ")
}

func markdownMessage(s *site, m *message) []byte {
	p := newMarkdownPage()
	p.block("[Catalog](%s.md) / %s", markdownIndex, mdLink(m.Queue.Name, m.Queue.Page))
	p.block("# %s", mdText(m.GoName))
	p.block("%s", mdCode(m.URN))
	if m.Summary != "" {
		p.block("**%s**", mdText(m.Summary))
	}
	if d := m.Deprecated; d != nil {
		text := "> **Deprecated.**"
		if d.Use != nil {
			text += " Use " + mdLink(d.Use.GoName, d.Use.Page) + " instead."
		}
		if d.Reason != "" {
			text += " " + mdText(d.Reason)
		}
		p.block("%s", text)
	}
	p.paragraphs(m.Description)
	list := []string{
		"- Published by: " + markdownServices(m.Publishers),
		"- Handled by: " + markdownServices(m.Consumers),
		"- Queue: " + mdLink(m.Queue.Name, m.Queue.Page),
	}
	if m.Key != "" {
		list = append(list, "- Message key: "+mdCode(m.Key))
	}
	if s.Owner != "" {
		list = append(list, "- Owner: "+mdText(s.Owner))
	}
	if m.Type != nil {
		list = append(list, "- Payload: "+mdLink(m.Type.Name, m.Type.Page))
	}
	p.block("%s", strings.Join(list, "\n"))
	p.block("## Fields")
	p.shape(m.Payload)
	if len(m.Examples) > 0 {
		p.block("## Example")
		for _, e := range m.Examples {
			p.code("json", e)
		}
	}
	p.block("## In Go")
	p.block("### Publish it")
	p.code("go", m.Publish)
	p.block("### Handle it")
	p.code("go", m.Handle)
	return p.bytes()
}

func markdownType(s *site, t *typePage) []byte {
	p := newMarkdownPage()
	p.block("[Catalog](%s.md)", markdownIndex)
	p.block("# %s", mdText(t.Name))
	if t.From != "" {
		p.block("Of %s.", mdText(t.From))
	}
	if t.Deprecated {
		p.block("> **Deprecated.**")
	}
	p.paragraphs(t.Description)
	list := []string{"- Form: " + markdownWords(t.Shape.Type)}
	if t.GoName != "" {
		list = append(list, "- Go type: "+mdCode(s.Package+"."+t.GoName))
	}
	if len(t.UsedBy) > 0 {
		list = append(list, "- Used by: "+markdownLinks(t.UsedBy))
	}
	p.block("%s", strings.Join(list, "\n"))
	p.shape(t.Shape)
	return p.bytes()
}

func markdownQueue(s *site, q *queuePage) []byte {
	p := newMarkdownPage()
	p.block("[Catalog](%s.md)", markdownIndex)
	p.block("# %s", mdText(q.Name))
	p.paragraphs(q.Description)
	dead := "is dropped"
	if q.DeadLetter != "" {
		dead = "goes to " + mdCode(q.DeadLetter)
	}
	p.block("%s", strings.Join([]string{
		"- Topic: " + mdCode(q.Topic),
		fmt.Sprintf("- Attempts: %d in all", q.MaxAttempts),
		"- What cannot be handled " + dead,
		"- Who sends: " + markdownServices(q.Senders),
		"- Who listens: " + markdownServices(q.Listeners),
		"- Go: " + mdCode(s.Package+"."+q.GoName),
	}, "\n"))
	if len(q.Messages) > 0 {
		p.block("## Messages")
		p.table([]string{"Message", "What it says", "Published by", "Handled by"}, markdownMessages(q.Messages))
		p.block("## In Go")
		p.code("go", q.Consume)
	}
	return p.bytes()
}

func (p *markdownPage) shape(s shape) {
	if len(s.Facts) > 0 {
		p.block("%s", markdownFacts(s.Facts))
	}
	if len(s.Rows) == 0 {
		return
	}
	var rows [][]string
	for _, r := range s.Rows {
		field := mdCode(r.Parent + r.Name)
		if r.Branch {
			field = "*" + mdText(r.Name) + "*"
		}
		for _, tag := range []struct {
			on   bool
			text string
		}{{r.Required, "required"}, {r.Key, "key"}, {r.Deprecated, "deprecated"}} {
			if tag.on {
				field += "<br>" + tag.text
			}
		}
		var about []string
		if r.Title != "" {
			about = append(about, "**"+mdText(r.Title)+"**")
		}
		for _, text := range r.Description {
			about = append(about, mdText(text))
		}
		switch r.Sensitive {
		case "":
		case "true":
			about = append(about, "Personal data")
		default:
			about = append(about, "Personal data: "+mdText(r.Sensitive))
		}
		if len(r.Facts) > 0 {
			about = append(about, markdownFacts(r.Facts))
		}
		goName := ""
		if r.GoName != "" {
			goName = mdCode(r.GoName)
		}
		rows = append(rows, []string{field, markdownWords(r.Type), goName, strings.Join(about, "<br>")})
	}
	p.table([]string{"Field", "Type", "Go", "Meaning"}, rows)
}

func markdownWords(words []link) string {
	var b strings.Builder
	for _, w := range words {
		if w.Page != "" {
			b.WriteString(mdLink(w.Text, w.Page))
		} else {
			b.WriteString(mdText(w.Text))
		}
	}
	return b.String()
}

func markdownLinks(links []link) string {
	var all []string
	for _, l := range links {
		all = append(all, mdLink(l.Text, l.Page))
	}
	return strings.Join(all, ", ")
}

func markdownFacts(facts []fact) string {
	var all []string
	for _, f := range facts {
		text := mdText(f.Text)
		for i, c := range f.Codes {
			if i > 0 {
				text += ","
			}
			text += " " + mdCode(c)
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}
