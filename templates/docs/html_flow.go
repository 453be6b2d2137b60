package docs

import (
	"bytes"
	"fmt"
	"html/template"
	"strconv"
)

// Path is the line of an edge: it leaves and arrives level.
func (e flowEdge) Path() string {
	bend := (e.X2 - e.X1) / 2
	return fmt.Sprintf("M%s %sC%s %s %s %s %s %s", pixel(e.X1), pixel(e.Y1), pixel(e.X1+bend), pixel(e.Y1), pixel(e.X2-bend-6), pixel(e.Y2), pixel(e.X2-6), pixel(e.Y2))
}

// Head is the arrow's head.
func (e flowEdge) Head() string {
	return fmt.Sprintf("M%s %sl-8 -4v8z", pixel(e.X2), pixel(e.Y2))
}

// Label is what fits into a node.
func (n flowNode) Label() string {
	const column = 7.3 // pixels, about
	text := ""
	if n.Message != nil {
		text = n.Message.GoName
	} else {
		text = n.Service.Name
	}
	return shorten(text, int((n.W-20)/column))
}

// Label is what fits into the head of a group.
func (g flowGroup) Label() string { return shorten(g.Queue.Name, 36) }

// pixel is a length as SVG writes it, no more exact than an eye.
func pixel(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

// add lets templates place texts.
func add(a, b float64) float64 { return a + b }

// standaloneSVG is the picture as a file of its own, with its own style. Images have no links.
func standaloneSVG(s *site) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(generated + "\n")
	err := pages.ExecuteTemplate(&b, "flow", picture{Flow: s.Flow, Title: s.Title, Style: template.HTML("<style>" + flowStyle + "</style>")})
	return b.Bytes(), err
}

// A picture is what the template of the flow takes.
type picture struct {
	Flow  *flow
	Title string
	Links bool
	Style template.HTML
}
