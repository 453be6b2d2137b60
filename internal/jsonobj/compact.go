package jsonobj

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Compact returns the object as JSON without white space. Strings are escaped only where JSON requires it.
func (o Object) Compact() []byte { return AppendCompact(nil, o) }

// AppendCompact appends a value as JSON without white space. It panics when the value is of a type that [Object] does
// not list.
func AppendCompact(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return AppendString(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case json.Number:
		return append(dst, v...)
	case json.RawMessage:
		return append(dst, v...)
	case Object:
		return appendObject(dst, v)
	case []any:
		return appendList(dst, v)
	}
	panic(unsupported(value))
}

func appendObject(dst []byte, o Object) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, m.Name), ':')
		dst = AppendCompact(dst, m.Value)
	}
	return append(dst, '}')
}

func appendList(dst []byte, list []any) []byte {
	dst = append(dst, '[')
	for i, item := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendCompact(dst, item)
	}
	return append(dst, ']')
}

// AppendString appends s as a JSON string, escaped only where JSON requires it.
func AppendString(dst []byte, s string) []byte {
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
			if r < ' ' {
				dst = fmt.Appendf(dst, `\u%04x`, r)
			} else {
				dst = utf8.AppendRune(dst, r)
			}
		}
	}
	return append(dst, '"')
}

// unsupported is the text of a panic: only a bug puts such a value into an object.
func unsupported(value any) string { return fmt.Sprintf("jsonobj: a value of type %T", value) }
