package docs

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/text"
)

//go:embed site
var siteFiles embed.FS

// What pages contain besides their text: the style and, on pages with a search or a picture, the script.
var (
	flowStyle = asset("flow.css")
	style     = asset("site.css") + flowStyle
	script    = asset("site.js")

	styleHash, scriptHash = hash(style), hash(script)
)

// asset returns a file of the folder site without its indentation, since every page contains it.
func asset(name string) string {
	content, err := siteFiles.ReadFile("site/" + name)
	if err != nil {
		panic(err) // it is compiled in
	}
	var b strings.Builder
	b.WriteByte('\n')
	for line := range strings.Lines(string(content)) {
		b.WriteString(strings.TrimLeft(line, " \t"))
	}
	return b.String()
}

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"px":     pixel,
	"count":  text.Count,
	"pieces": pieces,
	"flowOf": func(s *site) picture {
		return picture{Flow: s.Flow, Title: s.Title, Links: true}
	},
}).ParseFS(siteFiles, "site/*.tmpl"))

// A page is what the template of a page takes.
type page struct {
	Site    *site
	Message *message
	Type    *typePage
	Queue   *queuePage
	Service *service
	Here    string // the page's own name
	Scripts bool
}

// writeHTML puts a site on pages.
func writeHTML(s *site, header string) (map[string][]byte, error) {
	type document struct {
		template string
		page     page
	}
	documents := []document{
		{"index.tmpl", page{Here: "index", Scripts: true}},
		{"flow.tmpl", page{Here: "flow", Scripts: true}},
	}
	for _, m := range s.Messages {
		documents = append(documents, document{"message.tmpl", page{Here: m.Page, Message: m}})
	}
	for _, t := range s.Types {
		documents = append(documents, document{"type.tmpl", page{Here: t.Page, Type: t}})
	}
	for _, q := range s.Queues {
		documents = append(documents, document{"queue.tmpl", page{Here: q.Page, Queue: q}})
	}
	for _, service := range s.Services {
		documents = append(documents, document{"service.tmpl", page{Here: service.Page, Service: service}})
	}
	var files fileset.Collector
	var b limited
	for _, d := range documents {
		d.page.Site = s
		b.Reset()
		b.WriteString("<!DOCTYPE html>" + header)
		if err := pages.ExecuteTemplate(&b, d.template, d.page); err != nil {
			return nil, err
		}
		if err := files.Add(d.page.Here+".html", bytes.Clone(b.Bytes())); err != nil {
			return nil, err
		}
	}
	return files.Files(), nil
}

// A limited buffer takes no page that is too large by itself: the first one names what is in all others.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > fileset.MaxTotal {
		return 0, fileset.ErrTooLarge
	}
	return l.Buffer.Write(p)
}

// Style returns the page's style element. Its type tells the template that it comes from bqgen.
func (page) Style() template.HTML { return template.HTML("<style>" + style + "</style>") }

// Script returns the page's script element, if it has one.
func (p page) Script() template.HTML {
	if !p.Scripts {
		return ""
	}
	return template.HTML("<script>" + script + "</script>")
}

// Policy returns the page's content security policy. It allows nothing except bqgen's own style and script on the page
// itself: a text of the catalog could not run even if it were not escaped.
func (p page) Policy() string {
	policy := "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src '" + styleHash + "'"
	if p.Scripts {
		policy += "; script-src '" + scriptHash + "'"
	}
	return policy
}

func hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pieces returns the parts of a long name, between which a line may end.
func pieces(name string) []string {
	var all []string
	for name != "" {
		end := len(name)
		if i := strings.IndexAny(name, "/:."); i >= 0 {
			rest := strings.TrimLeft(name[i:], "/:.")
			end = len(name) - len(rest)
		}
		all = append(all, name[:end])
		name = name[end:]
	}
	return all
}

// SmallFlow reports whether the picture is small enough for the first page.
func (p page) SmallFlow() bool {
	const tallest = 1000
	return len(p.Site.Flow.Edges) > 0 && p.Site.Flow.Height <= tallest
}
