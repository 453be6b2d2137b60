package schema

import (
	"encoding/json"
	"unicode/utf8"
)

// A draftValue is a JSON value of the catalog that has to obey a schema.
type draftValue struct {
	Literal
	node  *node
	value any // as the judge takes it
	rule  string
	what  string // for messages
}

func (l *loader) defaultKeyword(d *draft, n *node) {
	if v, ok := l.literal(n, ruleDefault, "default"); ok {
		d.values = append(d.values, v)
	}
}

func (l *loader) examplesKeyword(d *draft, n *node) {
	if !l.isList(n, "examples") {
		return
	}
	for _, item := range n.items {
		if v, ok := l.literal(item, ruleExample, "example"); ok {
			d.values = append(d.values, v)
		}
	}
}

// literal takes over a value. It is not ok when something in it was reported.
func (l *loader) literal(n *node, rule, what string) (draftValue, bool) {
	v := draftValue{node: n, rule: rule, what: what}
	if n.flawed || n.kind == badNode {
		return v, false
	}
	before := l.errors
	v.Pos = n.pos
	v.JSON, v.value = l.jsonValue(nil, n, v)
	return v, l.errors == before
}

// scalarValue is a draftValue of a scalar in JSON.
func scalarValue(pos Pos, text, rule, what string) draftValue {
	v := draftValue{Literal: Literal{Pos: pos, JSON: []byte(text)}, rule: rule, what: what}
	v.node = &node{pos: pos, kind: scalarNode, text: text, plain: text[0] != '"', size: 1, depth: 1}
	switch {
	case text[0] == '"':
		_ = json.Unmarshal(v.JSON, &v.node.text) // JSON of our own making
		v.value = v.node.text
	case text == "true", text == "false":
		v.value = text == "true"
	default:
		v.value = json.Number(text)
	}
	return v
}

// jsonValue appends n as compact JSON and gives the same value for the judge. Numbers keep their text.
func (l *loader) jsonValue(text []byte, n *node, v draftValue) ([]byte, any) {
	switch n.kind {
	case mappingNode:
		value := make(map[string]any, len(n.pairs))
		text = append(text, '{')
		for i, p := range n.pairs {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(appendJSONString(text, p.key.text), ':')
			text, value[p.key.text] = l.jsonValue(text, p.value, v)
		}
		return append(text, '}'), value
	case sequenceNode:
		value := make([]any, len(n.items))
		text = append(text, '[')
		for i, item := range n.items {
			if i > 0 {
				text = append(text, ',')
			}
			text, value[i] = l.jsonValue(text, item, v)
		}
		return append(text, ']'), value
	case scalarNode:
		return l.jsonScalar(text, n, v)
	}
	return text, nil
}

func (l *loader) jsonScalar(text []byte, n *node, v draftValue) ([]byte, any) {
	if !n.plain {
		return appendJSONString(text, n.text), n.text
	}
	switch classifyPlain(n.text) {
	case plainNull:
		return append(text, "null"...), nil
	case plainBool:
		return append(text, n.text...), n.text == "true"
	case plainNumber:
		if !workableNumber(n.text) {
			l.report(n.pos, v.rule, "quote it if it is text", "number %s is out of range", cut(n.text))
			l.reported[n] = true
			return append(text, '0'), json.Number("0") // the judge would compute it
		}
		return append(text, n.text...), json.Number(n.text)
	case plainOther:
		l.report(n.pos, v.rule, `quote it if it is text: "`+cut(n.text)+`"; write numbers in decimal digits, booleans as true and false`,
			"the %s has %s", v.what, n.describe())
		l.reported[n] = true
	}
	return appendJSONString(text, n.text), n.text
}

// appendJSONString writes a string as an envelope has it: only what JSON has to escape is escaped (ENC-2 to ENC-4).
func appendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			dst = append(dst, '\\', byte(r))
		case '\b':
			dst = append(dst, `\b`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			if r < 0x20 {
				dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
			} else {
				dst = utf8.AppendRune(dst, r)
			}
		}
	}
	return append(dst, '"')
}
