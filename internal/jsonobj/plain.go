package jsonobj

import (
	"bytes"
	"encoding/json"
)

// Plain returns the value as encoding/json decodes it with UseNumber: objects as map[string]any, numbers as
// json.Number. That is what validators of JSON Schema take. It panics when a json.RawMessage is not JSON.
func Plain(value any) any {
	switch v := value.(type) {
	case Object:
		m := make(map[string]any, len(v))
		for _, member := range v {
			m[member.Name] = Plain(member.Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = Plain(item)
		}
		return list
	case int:
		return json.Number(scalar(v))
	case json.RawMessage:
		return plainRaw(v)
	}
	return value
}

func plainRaw(text json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var decoded any
	if err := d.Decode(&decoded); err != nil {
		panic("jsonobj: a json.RawMessage that is not JSON: " + err.Error())
	}
	return decoded
}
