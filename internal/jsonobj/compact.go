package jsonobj

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/babelqueue/bqgen/internal/text"
)

// AppendCompact appends the object as JSON without white space. Strings are escaped only where JSON requires it, and a
// json.RawMessage is appended as it is.
func (o Object) AppendCompact(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(text.AppendJSON(dst, m.Name), ':')
		dst = appendCompact(dst, m.Value)
	}
	return append(dst, '}')
}

func appendCompact(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return text.AppendJSON(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case json.Number:
		return append(dst, v...)
	case json.RawMessage:
		return append(dst, v...)
	case Object:
		return v.AppendCompact(dst)
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCompact(dst, item)
		}
		return append(dst, ']')
	}
	panic(unsupported(value))
}

// Decoded returns the object as encoding/json decodes it, with numbers as json.Number. That is what validators of JSON
// Schema take. It panics when a json.RawMessage is not JSON.
func (o Object) Decoded() map[string]any { return decoded(o).(map[string]any) }

func decoded(value any) any {
	switch v := value.(type) {
	case Object:
		m := make(map[string]any, len(v))
		for _, member := range v {
			m[member.Name] = decoded(member.Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = decoded(item)
		}
		return list
	case int:
		return json.Number(strconv.Itoa(v))
	case json.RawMessage:
		dec := json.NewDecoder(bytes.NewReader(v))
		dec.UseNumber()
		var decoded any
		if err := dec.Decode(&decoded); err != nil {
			panic("jsonobj: not JSON: " + err.Error()) // a bug
		}
		return decoded
	}
	return value
}
