package docs

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
)

//go:embed site
var siteFiles embed.FS

// What pages carry along: their style and, where there is something to search or to point at, their script.
var (
	flowStyle = asset("flow.css")
	style     = asset("site.css") + flowStyle
	script    = asset("site.js")
)

func asset(name string) string {
	text, err := siteFiles.ReadFile("site/" + name)
	if err != nil {
		panic(err) // it is compiled in
	}
	return string(text)
}

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"px":    pixel,
	"add":   add,
	"count": count,
	"flowOf": func(s *site) picture {
		return picture{Flow: s.Flow, Title: s.Title, Links: true}
	},
}).ParseFS(siteFiles, "site/*.tmpl"))

// A page is what every template of a page takes.
type page struct {
	Site    *site
	Message *message
	Type    *typePage
	Queue   *queuePage
	Here    string // the page's own name
	Scripts bool
}

// writeHTML puts a site on pages.
func writeHTML(s *site) (map[string][]byte, error) {
	files := map[string][]byte{}
	write := func(template string, p page) error {
		p.Site = s
		var b bytes.Buffer
		b.WriteString("<!DOCTYPE html>" + generated + "\n")
		if err := pages.ExecuteTemplate(&b, template, p); err != nil {
			return err
		}
		files[p.Here+".html"] = b.Bytes()
		return nil
	}
	if err := write("index.tmpl", page{Here: "index", Scripts: true}); err != nil {
		return nil, err
	}
	if err := write("flow.tmpl", page{Here: "flow", Scripts: true}); err != nil {
		return nil, err
	}
	for _, m := range s.Messages {
		if err := write("message.tmpl", page{Here: m.Page, Message: m}); err != nil {
			return nil, err
		}
	}
	for _, t := range s.Types {
		if err := write("type.tmpl", page{Here: t.Page, Type: t}); err != nil {
			return nil, err
		}
	}
	for _, q := range s.Queues {
		if err := write("queue.tmpl", page{Here: q.Page, Queue: q}); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Style is the page's style element. Go's template knows it for what it is: ours.
func (page) Style() template.HTML { return template.HTML("<style>" + style + "</style>") }

// Script is the page's script element, if it has one.
func (p page) Script() template.HTML {
	if !p.Scripts {
		return ""
	}
	return template.HTML("<script>" + script + "</script>")
}

// Policy is the page's content security policy: nothing but what is on the page itself, and of that only our own style
// and script. A text of the catalog could not run if it did get out of its place.
func (p page) Policy() string {
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '" + hash(style) + "'"
	if p.Scripts {
		policy += "; script-src '" + hash(script) + "'"
	}
	return policy
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// SmallFlow reports whether the picture is small enough to stand on the first page.
func (p page) SmallFlow() bool {
	const most = 1000
	return len(p.Site.Flow.Edges) > 0 && p.Site.Flow.Height <= most
}
