package source

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// isJSON reports whether a file is read as JSON. YAML parsers do not know all escapes of JSON: \/, and surrogate pairs.
func (f File) isJSON() bool { return strings.HasSuffix(strings.ToLower(f.Name), ".json") }

// parseJSON turns the text of a JSON file into nodes. It stops at the first syntax error.
func (p *parser) parseJSON(src []byte) *Node {
	j := &jsonParser{parser: p, src: src, line: 1, column: 1}
	j.space()
	if j.at == len(src) {
		p.Report(p.start(), schema.RuleEmpty, "write a JSON object", "%s is empty", p.file.What)
		return nil
	}
	n := j.value(1)
	j.space()
	if !j.failed && j.at < len(src) {
		j.fail("text follows the JSON value")
	}
	if j.failed {
		return nil
	}
	return n
}

// A jsonParser is a place in a JSON text. Once it has failed, what it returns means nothing.
type jsonParser struct {
	*parser
	src          []byte
	at           int
	line, column int
	failed       bool
}

func (j *jsonParser) here() schema.Pos {
	return schema.Pos{File: j.file.Name, Line: j.line, Column: j.column}
}

func (j *jsonParser) fail(reason string) {
	if !j.failed {
		j.Report(j.here(), schema.RuleSyntax, "", "not valid JSON: %s", reason)
	}
	j.failed = true
}

// skip moves n bytes ahead, which are whole characters.
func (j *jsonParser) skip(n int) {
	for end := j.at + n; j.at < end; {
		r, size := utf8.DecodeRune(j.src[j.at:])
		j.at += size
		j.column++
		if r == '\n' || r == '\r' && (j.at == len(j.src) || j.src[j.at] != '\n') {
			j.line, j.column = j.line+1, 1
		}
	}
}

func (j *jsonParser) space() {
	n := 0
	for j.at+n < len(j.src) && strings.IndexByte(" \t\r\n", j.src[j.at+n]) >= 0 {
		n++
	}
	j.skip(n)
}

// take skips a sign and the space around it.
func (j *jsonParser) take(sign byte) bool {
	j.space()
	if j.failed || j.at == len(j.src) || j.src[j.at] != sign {
		return false
	}
	j.skip(1)
	j.space()
	return true
}

func (j *jsonParser) value(depth int) *Node {
	n := &Node{Pos: j.here(), Kind: Scalar, size: 1, depth: 1}
	switch {
	case j.failed:
	case j.at == len(j.src):
		j.fail("a value is missing")
	case depth > MaxDepth:
		j.Report(n.Pos, schema.RuleTooDeep, "", "nested more than %d levels deep", MaxDepth)
		j.failed = true
	case j.src[j.at] == '{':
		j.object(n, depth)
	case j.src[j.at] == '[':
		j.array(n, depth)
	case j.src[j.at] == '"':
		n.Text = j.text()
	default:
		n.Text, n.Plain = j.word(), true
	}
	return n
}

func (j *jsonParser) object(n *Node, depth int) {
	n.Kind = Mapping
	j.skip(1)
	for first := true; !j.take('}'); first = false {
		if !first && !j.take(',') {
			j.fail("a comma or } is missing")
		}
		if !j.failed && (j.at == len(j.src) || j.src[j.at] != '"') {
			j.fail("the name of a member is missing")
		}
		if j.failed {
			return
		}
		key := n.add(&Node{Pos: j.here(), Kind: Scalar, Text: j.text(), size: 1, depth: 1})
		if !j.take(':') {
			j.fail("a colon is missing")
		}
		n.Pairs = append(n.Pairs, Pair{key, n.add(j.value(depth + 1))})
	}
	before := j.Errors()
	j.resolveKeys(n)
	if j.Errors() > before {
		n.Doubt |= trust.Partial
	}
}

func (j *jsonParser) array(n *Node, depth int) {
	n.Kind = Sequence
	j.skip(1)
	for first := true; !j.take(']'); first = false {
		if !first && !j.take(',') {
			j.fail("a comma or ] is missing")
		}
		if j.failed {
			return
		}
		n.Items = append(n.Items, n.add(j.value(depth+1)))
	}
}

// text reads a string.
func (j *jsonParser) text() string {
	end := j.at + 1
	for end < len(j.src) && j.src[end] != '"' && j.src[end] != '\n' {
		if j.src[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(j.src) || j.src[end] != '"' {
		j.fail("a string has no end")
		return ""
	}
	quoted := j.src[j.at : end+1]
	var s string
	switch err := json.Unmarshal(quoted, &s); {
	case err != nil:
		j.fail("a string has an escape or a control character that JSON does not allow")
	case hasLoneSurrogate(quoted):
		j.fail("a string has half of a surrogate pair")
	}
	j.skip(len(quoted))
	return s
}

// hasLoneSurrogate reports an escape that is half of a character, which the standard library replaces.
func hasLoneSurrogate(quoted []byte) bool {
	unit := func(i int) rune {
		if i+6 > len(quoted) || quoted[i] != '\\' || quoted[i+1] != 'u' {
			return -1
		}
		var r rune
		for _, c := range quoted[i+2 : i+6] {
			r = r<<4 | rune(strings.IndexByte("0123456789abcdef", c|0x20))
		}
		return r
	}
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		first := unit(i)
		switch {
		case first < 0 || !utf16.IsSurrogate(first):
			i++
		case utf16.DecodeRune(first, unit(i+6)) == utf8.RuneError:
			return true
		default:
			i += 11
		}
	}
	return false
}

// word reads null, true, false or a number.
func (j *jsonParser) word() string {
	end := j.at
	for end < len(j.src) && strings.IndexByte(" \t\r\n,:[]{}\"", j.src[end]) < 0 {
		end++
	}
	word := string(j.src[j.at:end])
	if word != "null" && word != "true" && word != "false" && !jsonNumber.MatchString(word) {
		if word == "" {
			j.fail("a value is missing")
		} else {
			j.fail("there is no value " + text.Quote(word))
		}
	}
	j.skip(end - j.at)
	return word
}
