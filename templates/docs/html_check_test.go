package docs

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// checkSite checks all pages of a site strictly: what a browser would repair is a fault here.
func checkSite(t *testing.T, files map[string][]byte) {
	t.Helper()
	ids := map[string]map[string]bool{}
	parsed := map[string]*html.Node{}
	for name, text := range files {
		for _, fault := range checkNesting(text) {
			t.Errorf("%s: %s", name, fault)
		}
		tree, err := html.Parse(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		parsed[name], ids[name] = tree, map[string]bool{}
		for n := range tree.Descendants() {
			if id := attr(n, "id"); id != "" {
				if ids[name][id] {
					t.Errorf("%s: the id %q is used twice", name, id)
				}
				ids[name][id] = true
			}
		}
	}
	for name, tree := range parsed {
		for _, fault := range checkPage(name, tree, ids) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

var voidElements = []string{"meta", "link", "input", "br", "hr", "img", "wbr"}

// checkNesting compares the elements as they are written with those that a browser sees: an element that is not closed,
// or that implicitly closes another one, ends up elsewhere.
func checkNesting(text []byte) (faults []string) {
	var written, made []string
	var open []string
	z := html.NewTokenizer(bytes.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		tok := z.Token()
		switch kind {
		case html.StartTagToken:
			written = append(written, strings.Join(open, ">")+">"+strings.ToLower(tok.Data))
			if !slices.Contains(voidElements, tok.Data) {
				open = append(open, tok.Data)
			}
			seen := map[string]bool{}
			for _, a := range tok.Attr {
				if seen[a.Key] {
					faults = append(faults, fmt.Sprintf("<%s> has %s twice", tok.Data, a.Key))
				}
				seen[a.Key] = true
			}
		case html.SelfClosingTagToken:
			faults = append(faults, "<"+tok.Data+"/> closes itself")
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != tok.Data {
				return append(faults, fmt.Sprintf("</%s> where %v is open", tok.Data, open))
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		faults = append(faults, fmt.Sprintf("left open: %v", open))
	}
	tree, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return append(faults, err.Error())
	}
	var walk func(n *html.Node, path string)
	walk = func(n *html.Node, path string) {
		for c := range n.ChildNodes() {
			if c.Type == html.ElementNode {
				made = append(made, path+">"+strings.ToLower(c.Data))
				below := strings.ToLower(c.Data)
				if path != "" {
					below = path + ">" + below
				}
				walk(c, below)
			}
		}
	}
	walk(tree, "")
	if diff := cmp.Diff(written, made); diff != "" {
		faults = append(faults, "written (-) and seen (+):\n"+diff)
	}
	return faults
}

// checkPage checks the links, the headings, the names for screen readers, and that the page loads nothing.
func checkPage(name string, tree *html.Node, ids map[string]map[string]bool) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	level := 0
	for n := range tree.Descendants() {
		if n.Type == html.DoctypeNode && (n.Data != "html" || len(n.Attr) > 0) {
			say("the document type is not html")
		}
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on") || a.Key == "style":
				say("<%s> has the attribute %s", n.Data, a.Key)
			case a.Key == "href":
				if fault := checkLink(name, n, a.Val, ids); fault != "" {
					say("%s", fault)
				}
			case a.Key == "src" || a.Key == "srcset" || a.Key == "action":
				say("<%s> loads %s", n.Data, a.Val)
			case a.Key == "aria-labelledby" || a.Key == "aria-describedby" || a.Key == "for":
				if !ids[name][a.Val] {
					say("%s=%q names nothing", a.Key, a.Val)
				}
			}
		}
		switch n.Data {
		case "h1", "h2", "h3", "h4":
			next := int(n.Data[1] - '0')
			if next > level+1 || next == 1 && level > 0 {
				say("<%s> comes after a heading of level %d", n.Data, level)
			}
			level = next
			if strings.TrimSpace(textOf(n)) == "" {
				say("an empty heading")
			}
		case "a":
			if n.Namespace == "" && strings.TrimSpace(textOf(n)) == "" {
				say("a link without text to %s", attr(n, "href"))
			}
		case "svg":
			if attr(n, "aria-label") == "" {
				say("a picture without a name")
			}
		case "img":
			if attr(n, "alt") == "" {
				say("an image without a text alternative")
			}
		case "th":
			if attr(n, "scope") == "" {
				say("a heading of a table without a scope")
			}
		case "style", "script":
			text := textOf(n)
			if strings.Contains(text, "url(") || strings.Contains(text, "@import") || strings.Contains(text, "http") {
				say("<%s> may load something", n.Data)
			}
		case "iframe", "object", "embed", "base", "audio", "video", "image", "use", "foreignObject", "feImage":
			say("<%s> may load something", n.Data)
		}
	}
	return faults
}

func checkLink(name string, n *html.Node, to string, ids map[string]map[string]bool) string {
	if n.Data == "link" && to == "data:," {
		return "" // no icon
	}
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.Contains(u.Path, "/") {
		return fmt.Sprintf("<%s> leads out of the site: %s", n.Data, to)
	}
	file := u.Path
	if file == "" {
		file = name
	}
	switch {
	case ids[file] == nil:
		return "a link to a page that does not exist: " + to
	case u.Fragment != "" && !ids[file][u.Fragment]:
		return "a link to a place that does not exist: " + to
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func TestTheCheckFindsFaults(t *testing.T) {
	for name, text := range map[string]string{
		"left open":       "<!DOCTYPE html><html><head></head><body><p>x</body></html>",
		"crossed":         "<!DOCTYPE html><html><head></head><body><b><i>x</b></i></body></html>",
		"closed by a div": "<!DOCTYPE html><html><head></head><body><p><div>x</div></p></body></html>",
		"in a table":      "<!DOCTYPE html><html><head></head><body><table><p>x</p></table></body></html>",
	} {
		if len(checkNesting([]byte(text))) == 0 {
			t.Errorf("%s: no fault", name)
		}
	}
	for name, text := range map[string]string{
		"handler":     `<p onclick="x">`,
		"style":       `<p style="x">`,
		"out":         `<a href="https://example.com/">x</a>`,
		"script link": `<a href="javascript:x">x</a>`,
		"no page":     `<a href="b.html">x</a>`,
		"no place":    `<a href="#b">x</a>`,
		"skipped":     `<h1>x</h1><h3>y</h3>`,
		"image":       `<img alt="" src="x.png">`,
	} {
		tree, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(checkPage("a.html", tree, map[string]map[string]bool{"a.html": {}})) == 0 {
			t.Errorf("%s: no fault", name)
		}
	}
}
