// Package jsonobj holds JSON documents whose members have an order, to be put together and written for people to read.
package jsonobj

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Object is a JSON object. The values in it are nil, bool, string, json.Number, Object and []any of those; integers
// are allowed as well.
type Object []Member

// A Member is a name and a value.
type Member struct {
	Name  string
	Value any
}

// Get is the value of a member, or nil.
func (o Object) Get(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Without is the object without some members.
func (o Object) Without(names ...string) Object {
	var out Object
next:
	for _, m := range o {
		for _, name := range names {
			if m.Name == name {
				continue next
			}
		}
		out = append(out, m)
	}
	return out
}

// Parse reads a JSON text.
func Parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := parse(d)
	if err != nil {
		return nil, fmt.Errorf("parse JSON: %w", err)
	}
	return v, nil
}

func parse(d *json.Decoder) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		o := Object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := parse(d)
			if err != nil {
				return nil, err
			}
			o = append(o, Member{name.(string), value})
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := parse(d)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = d.Token()
		return list, err
	}
	return tok, nil
}

// JSON writes the object, indented by two spaces, with a line end behind it.
func (o Object) JSON() []byte {
	return append(appendJSON(nil, o, "\n"), '\n')
}

// appendJSON writes a value; newLine is a line end and the indentation at hand.
func appendJSON(dst []byte, value any, newLine string) []byte {
	switch v := value.(type) {
	case Object:
		if len(v) == 0 {
			return append(dst, "{}"...)
		}
		for i, m := range v {
			dst = append(dst, "{,"[min(i, 1)])
			dst = append(dst, newLine...)
			dst = append(dst, "  "...)
			dst = append(dst, quote(m.Name)...)
			dst = appendJSON(append(dst, ": "...), m.Value, newLine+"  ")
		}
		return append(append(dst, newLine...), '}')
	case []any:
		if len(v) == 0 {
			return append(dst, "[]"...)
		}
		for i, item := range v {
			dst = append(dst, "[,"[min(i, 1)])
			dst = append(append(dst, newLine...), "  "...)
			dst = appendJSON(dst, item, newLine+"  ")
		}
		return append(append(dst, newLine...), ']')
	}
	return append(dst, scalar(value)...)
}

func scalar(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return quote(v)
	case bool, int, json.Number:
		return fmt.Sprint(v)
	}
	panic(fmt.Sprintf("jsonobj: a value of type %T", value)) // a bug
}

// quote writes a string as both JSON and YAML read it, and with everything visible that is not: control and format
// characters could show a reader something else than what is there.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r <= unicode.MaxASCII && r >= ' ' && r != 0x7f, r > unicode.MaxASCII && r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.Is(unicode.Z, r):
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
