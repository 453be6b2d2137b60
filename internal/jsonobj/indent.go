package jsonobj

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// JSON returns the object for people: indented by two spaces, with invisible characters escaped and a line end at the
// end.
func (o Object) JSON() []byte { return append(appendIndented(nil, o, "\n"), '\n') }

// appendIndented appends a value; newLine is a line end and the current indentation.
func appendIndented(dst []byte, value any, newLine string) []byte {
	switch v := readable(value).(type) {
	case Object:
		if len(v) == 0 {
			return append(dst, "{}"...)
		}
		for i, m := range v {
			dst = append(dst, "{,"[min(i, 1)])
			dst = append(append(dst, newLine...), "  "...)
			dst = append(append(dst, quote(m.Name)...), ": "...)
			dst = appendIndented(dst, m.Value, newLine+"  ")
		}
		return append(append(dst, newLine...), '}')
	case []any:
		if len(v) == 0 {
			return append(dst, "[]"...)
		}
		for i, item := range v {
			dst = append(dst, "[,"[min(i, 1)])
			dst = append(append(dst, newLine...), "  "...)
			dst = appendIndented(dst, item, newLine+"  ")
		}
		return append(append(dst, newLine...), ']')
	default:
		return append(dst, scalar(v)...)
	}
}

// readable parses JSON text, so that it is laid out like the rest. It panics when the text is not JSON.
func readable(value any) any {
	raw, ok := value.(json.RawMessage)
	if !ok {
		return value
	}
	parsed, err := Parse(raw)
	if err != nil {
		panic("jsonobj: a json.RawMessage that is not JSON: " + err.Error())
	}
	return parsed
}

// unsupported is the text of a panic: only a bug puts such a value into an object.
func unsupported(value any) string { return fmt.Sprintf("jsonobj: a value of type %T", value) }

func scalar(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return quote(v)
	case bool, int, json.Number:
		return fmt.Sprint(v)
	}
	panic(unsupported(value))
}

// quote writes a string that JSON and YAML read alike. Control and format characters are escaped: they could show a
// reader something else than what is there.
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
		case isVisible(r):
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

func isVisible(r rune) bool {
	if r <= unicode.MaxASCII {
		return r >= ' ' && r != 0x7f
	}
	return r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.Is(unicode.Z, r)
}
