package docs

import (
	"fmt"
	"strings"
)

// A markdownPage grows by blocks, separated by empty lines.
type markdownPage struct{ strings.Builder }

func newMarkdownPage(header string) *markdownPage {
	p := &markdownPage{}
	p.WriteString(header)
	return p
}

func (p *markdownPage) bytes() []byte { return []byte(p.String()) }

// block adds a block. Texts of the catalog must be escaped already.
func (p *markdownPage) block(format string, args ...any) {
	fmt.Fprintf(p, "\n"+format+"\n", args...)
}

func (p *markdownPage) paragraphs(texts []string) {
	for _, text := range texts {
		p.block("%s", mdText(text))
	}
}

// list adds a list. Its items must be escaped already.
func (p *markdownPage) list(items []string) {
	p.block("- %s", strings.Join(items, "\n- "))
}

func (p *markdownPage) code(language string, c code) {
	fence := mdFence(c.String(), 3)
	p.block("%s%s\n%s\n%s", fence, language, strings.TrimRight(c.String(), "\n"), fence)
}

// table adds a table. Its cells must be escaped already.
func (p *markdownPage) table(head []string, rows [][]string) {
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat(" --- |", len(head)))
	for _, row := range rows {
		b.WriteString("\n| " + strings.Join(row, " | ") + " |")
	}
	p.block("%s", b.String())
}

// messages adds a table of messages.
func (p *markdownPage) messages(messages []*message) {
	var rows [][]string
	for _, m := range messages {
		first := mdLink(m.GoName, m.Page) + "<br>" + mdCode(m.URN)
		if m.Deprecated != nil {
			first += "<br>*deprecated*"
		}
		rows = append(rows, []string{first, mdText(m.Summary), mdServices(m.Publishers), mdServices(m.Receivers())})
	}
	p.table([]string{"Message", "Summary", "Published by", "Handled by"}, rows)
}

// shape adds the constraints and the fields of a payload or a type.
func (p *markdownPage) shape(s *shape) {
	if len(s.Facts) > 0 {
		p.block("Constraints: %s.", mdFacts(s.Facts))
	}
	if len(s.Rows) == 0 {
		return
	}
	var rows [][]string
	for _, r := range s.Rows {
		goName := ""
		if r.GoName != "" {
			goName = mdCode(r.GoName)
		}
		rows = append(rows, []string{mdField(r), mdPhrase(r.Type), goName, mdMeaning(r)})
	}
	p.table([]string{"Field", "Type", "Go", "Meaning"}, rows)
}

// mdField returns the name of a row, with what a reader has to see first.
func mdField(r row) string {
	field := mdCode(r.Parent + r.Name)
	if r.Variant {
		field = "*" + mdText(r.Name) + "*"
		if r.Parent != "" {
			field = mdCode(r.Parent) + " as " + field
		}
	}
	for _, tag := range []struct {
		on   bool
		text string
	}{{r.Required, "required"}, {r.Key, "key"}, {r.Deprecated, "deprecated"}} {
		if tag.on {
			field += "<br>" + tag.text
		}
	}
	return field
}

// mdMeaning returns what there is to say about a row.
func mdMeaning(r row) string {
	var lines []string
	if r.Title != "" {
		lines = append(lines, "**"+mdText(r.Title)+"**")
	}
	for _, text := range r.Description {
		lines = append(lines, mdText(text))
	}
	switch r.Sensitive {
	case "":
	case "true":
		lines = append(lines, "Personal data")
	default:
		lines = append(lines, "Personal data: "+mdText(r.Sensitive))
	}
	if len(r.Facts) > 0 {
		lines = append(lines, mdFacts(r.Facts))
	}
	return strings.Join(lines, "<br>")
}

func mdServices(services []*service) string {
	if len(services) == 0 {
		return "*nobody yet*"
	}
	var names []string
	for _, s := range services {
		names = append(names, mdLink(s.Name, s.Page))
	}
	return strings.Join(names, ", ")
}

// mdPhrase returns a phrase with its links. The spaces at the ends of its parts stand between words.
func mdPhrase(parts phrase) string {
	var b strings.Builder
	for _, part := range parts {
		if part.Page != "" {
			b.WriteString(mdLink(part.Text, part.Page))
		} else {
			b.WriteString(mdInline(part.Text))
		}
	}
	return b.String()
}

func mdLinks(links []link) string {
	var all []string
	for _, l := range links {
		all = append(all, mdLink(l.Text, l.Page))
	}
	return strings.Join(all, ", ")
}

func mdFacts(facts []fact) string {
	var all []string
	for _, f := range facts {
		codes := make([]string, len(f.Codes))
		for i, c := range f.Codes {
			codes[i] = " " + mdCode(c)
		}
		all = append(all, mdInline(f.Text)+strings.Join(codes, ","))
	}
	return strings.Join(all, "; ")
}
