package schema

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// maxNumber is the longest number in an example, in characters.
const maxNumber = 400

// examples checks each example as a payload of its URN.
func (l *loader) examples(p payload, j *judge) {
	if !l.isList(p.examples, "examples") {
		return
	}
	for _, n := range p.examples.items {
		if n.flawed {
			continue
		}
		if n.kind != mappingNode {
			l.report(n.pos, ruleWrongType, "", "an example must be a mapping, this is %s", n.describe())
			continue
		}
		text, value := l.exampleValue(nil, n)
		j.check(p.root, n, value)
		p.urn.Examples = append(p.urn.Examples, Example{Pos: n.pos, JSON: text})
	}
}

// exampleValue appends n as compact JSON and gives the same value for the judge. Numbers keep their text.
func (l *loader) exampleValue(text []byte, n *node) ([]byte, any) {
	switch n.kind {
	case mappingNode:
		value := make(map[string]any, len(n.pairs))
		text = append(text, '{')
		for i, p := range n.pairs {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(appendJSONString(text, p.key.text), ':')
			text, value[p.key.text] = l.exampleValue(text, p.value)
		}
		return append(text, '}'), value
	case sequenceNode:
		value := make([]any, len(n.items))
		text = append(text, '[')
		for i, item := range n.items {
			if i > 0 {
				text = append(text, ',')
			}
			text, value[i] = l.exampleValue(text, item)
		}
		return append(text, ']'), value
	case scalarNode:
		return l.exampleScalar(text, n)
	}
	return text, nil
}

func (l *loader) exampleScalar(text []byte, n *node) ([]byte, any) {
	if !n.plain {
		return appendJSONString(text, n.text), n.text
	}
	switch classifyPlain(n.text) {
	case plainNull:
		return append(text, "null"...), nil
	case plainBool:
		return append(text, n.text...), n.text == "true"
	case plainNumber:
		if f, err := strconv.ParseFloat(n.text, 64); err != nil || math.IsInf(f, 0) || len(n.text) > maxNumber || tinyExponent(n.text) {
			l.report(n.pos, ruleExample, "quote it if it is text", "number %s is out of range", cut(n.text))
			l.reported[n] = true
			return append(text, '0'), json.Number("0") // the judge would compute it
		}
		return append(text, n.text...), json.Number(n.text)
	case plainOther:
		l.report(n.pos, ruleExample, `quote it if it is text: "`+cut(n.text)+`"; write numbers in decimal digits, booleans as true and false`,
			"the example has %s", n.describe())
		l.reported[n] = true
	}
	return appendJSONString(text, n.text), n.text
}

// tinyExponent reports numbers that are zero for all that can be told, such as 1e-1000000.
func tinyExponent(number string) bool {
	for i := range len(number) {
		if number[i] == 'e' || number[i] == 'E' {
			exponent, err := strconv.Atoi(number[i+1:])
			return err != nil || exponent < -maxNumber
		}
	}
	return false
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
