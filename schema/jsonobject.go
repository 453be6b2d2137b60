package schema

import (
	"encoding/json"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A jsonObject is a JSON object whose members have an order. Values are nil, bool, string, json.Number,
// json.RawMessage, jsonObject and []any of those.
type jsonObject []jsonMember

type jsonMember struct {
	name  string
	value any
}

// appendTo writes the object as compact JSON.
func (o jsonObject) appendTo(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendJSONString(dst, m.name), ':')
		dst = appendJSON(dst, m.value)
	}
	return append(dst, '}')
}

func appendJSON(dst []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case string:
		return appendJSONString(dst, v)
	case json.Number:
		return append(dst, v...)
	case json.RawMessage:
		return append(dst, v...)
	case jsonObject:
		return v.appendTo(dst)
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, item)
		}
		return append(dst, ']')
	}
	panic("schema: not JSON")
}

// plain gives the same value as decoding its JSON would, numbers by their text.
func plain(value any) any {
	switch v := value.(type) {
	case jsonObject:
		m := make(map[string]any, len(v))
		for _, member := range v {
			m[member.name] = plain(member.value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plain(item)
		}
		return list
	case json.RawMessage:
		decoded, err := jsonschema.UnmarshalJSON(strings.NewReader(string(v)))
		if err != nil {
			panic("schema: not JSON: " + err.Error())
		}
		return decoded
	}
	return value
}
