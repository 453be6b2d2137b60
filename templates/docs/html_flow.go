package docs

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"unicode"
)

// A picture is what the template of the flow takes.
type picture struct {
	Flow  *flow
	Title string
	Links bool
	Style template.HTML
}

// standaloneSVG returns the picture as a file of its own, without links, which images do not have.
func standaloneSVG(s *site, header string) ([]byte, error) {
	var b strings.Builder
	b.WriteString(header)
	style := template.HTML("<style>" + flowStyle + "</style>")
	err := pages.ExecuteTemplate(&b, "flow", picture{Flow: s.Flow, Title: s.Title, Style: style})
	return []byte(b.String()), err
}

// Path returns the line of an edge, a curve that leaves and arrives horizontally.
func (e flowEdge) Path() string {
	const head = 6 // the part that the arrow's head covers
	bend := (e.X2 - e.X1) / 2
	return fmt.Sprintf("M%s %sC%s %s %s %s %s %s", pixel(e.X1), pixel(e.Y1),
		pixel(e.X1+bend), pixel(e.Y1), pixel(e.X2-bend-head), pixel(e.Y2), pixel(e.X2-head), pixel(e.Y2))
}

// Head returns the head of the arrow.
func (e flowEdge) Head() string {
	return fmt.Sprintf("M%s %sl-8 -4v8z", pixel(e.X2), pixel(e.Y2))
}

// A label is the text in a box of the picture.
type label struct {
	X, Y  float64 // of its start and its base line
	Width float64 // to squeeze the text into; 0 when it fits in any font
	Text  string
}

// Widths of a character in pixels, in most fonts and in a wide one. Which font a reader has is not known.
const (
	usualColumn = 7.3
	wideColumn  = 9.5
)

// newLabel returns a label of at most space pixels.
func newLabel(x, y, space float64, name string) label {
	l := label{X: x, Y: y, Text: shorten(name, int(space/usualColumn))}
	if columns := float64(width(l.Text)); columns*wideColumn > space {
		l.Width = min(space, columns*usualColumn)
	}
	return l
}

// Label returns the label of the node.
func (n flowNode) Label() label {
	name := ""
	if n.Message != nil {
		name = n.Message.GoName
	} else {
		name = n.Service.Name
	}
	return newLabel(n.X+11, n.Y+18.5, n.W-20, name)
}

// Label returns the label of the group.
func (g flowGroup) Label() label { return newLabel(g.X+14, g.Y+22, g.W-28, g.Queue.Name) }

// pixel returns a length as SVG writes it.
func pixel(f float64) string { return strconv.FormatFloat(f, 'f', -1, 32) }

// shorten returns s, or as much of its beginning and its end as fits into limit columns: the ends of names are what
// tells them apart.
func shorten(s string, limit int) string {
	if width(s) <= limit {
		return s
	}
	var head, tail string
	runes := []rune(s)
	for i, j := 0, len(runes)-1; i <= j; {
		if width(head) <= width(tail) {
			head += string(runes[i])
			i++
		} else {
			tail = string(runes[j]) + tail
			j--
		}
		if width(head)+width(tail) >= limit-1 {
			break
		}
	}
	return head + "…" + tail
}

// width returns about how many columns a text takes: wide characters count twice, combining marks not at all.
func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0x1f300:
			n += 2
		default:
			n++
		}
	}
	return n
}
