package source

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// ReadJSON reads a file as JSON (RFC 8259), within the limits of [Reader.Read]. A YAML reader cannot stand in: it
// rejects \/ and takes the halves of a surrogate pair for two characters. Of members with the same name the last
// counts, and the repetition is a warning. ReadJSON returns nil when the file cannot be used.
func (r *Reader) ReadJSON(f File, src []byte) *Node {
	p := &parser{Reporter: r.Reporter, reader: r, file: f}
	checked, ok := p.checkText(src)
	if !ok {
		return nil
	}
	j := &jsonParser{parser: p, src: checked, at: mark{1, 1}}
	root := j.document()
	if root != nil {
		r.Places.add(root, checked)
	}
	return root
}

// A jsonParser reads one JSON text. After the first fault it stops.
type jsonParser struct {
	*parser
	src    []byte
	offset int
	at     mark
	failed bool
}

func (j *jsonParser) document() *Node {
	j.blanks()
	root := j.value(1)
	j.blanks()
	if !j.failed && j.offset < len(j.src) {
		j.fail("there is more text after the value", "remove it")
	}
	if j.failed {
		return nil
	}
	return root
}

// fail reports a fault at the current place.
func (j *jsonParser) fail(what, hint string) *Node {
	if !j.failed {
		j.failed = true
		j.Report(j.pos(j.at), schema.RuleSyntax, hint, "not valid JSON: %s", what)
	}
	return nil
}

// peek returns the byte at the current place, or 0 at the end.
func (j *jsonParser) peek() byte {
	if j.failed || j.offset >= len(j.src) {
		return 0
	}
	return j.src[j.offset]
}

// next moves over one character.
func (j *jsonParser) next() {
	r, size := utf8.DecodeRune(j.src[j.offset:])
	after := byte(0)
	if j.offset+size < len(j.src) {
		after = j.src[j.offset+size]
	}
	j.offset += size
	j.at.column++
	if r == '\n' || r == '\r' && after != '\n' {
		j.at = mark{j.at.line + 1, 1}
	}
}

func (j *jsonParser) blanks() {
	for {
		switch j.peek() {
		case ' ', '\t', '\n', '\r':
			j.next()
		default:
			return
		}
	}
}

// take moves over one byte if it is c.
func (j *jsonParser) take(c byte) bool {
	if j.peek() != c {
		return false
	}
	j.next()
	return true
}

// found names what stands at the current place.
func (j *jsonParser) found() string {
	if j.offset >= len(j.src) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRune(j.src[j.offset:])
	return text.Quote(string(r))
}

func (j *jsonParser) value(depth int) *Node {
	n := &Node{Pos: j.pos(j.at), size: 1, depth: 1}
	if depth > MaxDepth {
		j.Report(n.Pos, schema.RuleTooDeep, "", "nested more than %d levels deep", MaxDepth)
		j.failed = true
		return nil
	}
	switch c := j.peek(); {
	case c == '{':
		return j.object(n, depth)
	case c == '[':
		return j.array(n, depth)
	case c == '"':
		n.Kind = Scalar
		n.Text = j.text()
	default:
		n.Kind, n.Plain = Scalar, true
		n.Text = j.word()
	}
	if j.failed {
		return nil
	}
	return n
}

// word reads a number, true, false or null.
func (j *jsonParser) word() string {
	start, at := j.offset, j.at
	for c := j.peek(); c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' ||
		c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; c = j.peek() {
		j.next()
	}
	word := string(j.src[start:j.offset])
	if word == "true" || word == "false" || word == "null" || IsNumber(word) {
		return word
	}
	if word == "" {
		j.fail("a value is missing, this is "+j.found(), "")
	} else {
		j.at = at
		j.fail(text.Quote(word)+" is no value", "quote text with double quotes")
	}
	return ""
}

func (j *jsonParser) array(n *Node, depth int) *Node {
	n.Kind = Sequence
	j.next()
	for j.blanks(); !j.take(']'); j.blanks() {
		if len(n.Items) > 0 {
			if !j.take(',') {
				return j.fail("an element ends with , or ], this is "+j.found(), "")
			}
			j.blanks()
		}
		item := j.value(depth + 1)
		if item == nil {
			return nil
		}
		n.Items = append(n.Items, n.add(item))
	}
	return n
}

func (j *jsonParser) object(n *Node, depth int) *Node {
	n.Kind = Mapping
	j.next()
	index := map[string]int{}
	for first := true; ; first = false {
		if j.blanks(); j.take('}') {
			return n
		}
		if !first {
			if !j.take(',') {
				return j.fail("a member ends with , or }, this is "+j.found(), "")
			}
			j.blanks()
		}
		pair, ok := j.member(depth)
		if !ok {
			return nil
		}
		if !j.checkLength(pair.Key) {
			n.Doubt |= trust.Partial
			continue
		}
		n.add(pair.Key)
		n.add(pair.Value)
		i, again := index[pair.Key.Text]
		if !again {
			index[pair.Key.Text] = len(n.Pairs)
			n.Pairs = append(n.Pairs, pair)
			continue
		}
		j.Warn(pair.Key.Pos, schema.RuleDuplicate, "keep one of the two",
			"duplicate member %s: the first is on line %d, the last one counts",
			text.Quote(pair.Key.Text), n.Pairs[i].Key.Pos.Line)
		n.Pairs[i] = pair
	}
}

func (j *jsonParser) member(depth int) (Pair, bool) {
	key := &Node{Pos: j.pos(j.at), Kind: Scalar, size: 1, depth: 1}
	if j.peek() != '"' {
		j.fail("a member starts with its name in double quotes, this is "+j.found(), "")
		return Pair{}, false
	}
	key.Text = j.text()
	if j.blanks(); !j.take(':') {
		j.fail("a name is followed by a colon, this is "+j.found(), "")
		return Pair{}, false
	}
	j.blanks()
	value := j.value(depth + 1)
	return Pair{key, value}, value != nil
}

// text reads a string.
func (j *jsonParser) text() string {
	opened := j.at
	j.next()
	var b strings.Builder
	for {
		switch c := j.peek(); {
		case j.failed:
			return ""
		case j.offset >= len(j.src):
			j.at = opened
			j.fail("the string that starts here is not closed", "")
			return ""
		case c == '"':
			j.next()
			return b.String()
		case c == '\\':
			j.escape(&b)
		case c < 0x20:
			j.fail(fmt.Sprintf("a string has a raw control character U+%04X", c), "write it as an escape")
			return ""
		default:
			start := j.offset
			j.next()
			b.Write(j.src[start:j.offset])
		}
	}
}

var simpleEscapes = map[byte]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

func (j *jsonParser) escape(b *strings.Builder) {
	at := j.at
	j.next()
	c := j.peek()
	if simple, ok := simpleEscapes[c]; ok {
		j.next()
		b.WriteByte(simple)
		return
	}
	r, ok := rune(-1), c == 'u'
	if ok {
		r, ok = j.unit()
	}
	if ok && utf16.IsSurrogate(r) {
		low := rune(-1)
		if j.take('\\') {
			low, _ = j.unit()
		}
		r = utf16.DecodeRune(r, low)
		ok = r != utf8.RuneError
	}
	if !ok {
		j.at = at
		j.fail("this escape is none of JSON, or half of a surrogate pair", `write \\ for a backslash`)
		return
	}
	b.WriteRune(r)
}

// unit reads the u of an escape and its four digits.
func (j *jsonParser) unit() (rune, bool) {
	if !j.take('u') || j.offset+4 > len(j.src) {
		return -1, false
	}
	var r rune
	for range 4 {
		digit := strings.IndexByte("0123456789abcdef", j.peek()|0x20)
		if digit < 0 || j.peek() < '0' {
			return -1, false
		}
		r = r<<4 | rune(digit)
		j.next()
	}
	return r, true
}
