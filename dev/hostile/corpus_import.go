package main

import (
	"fmt"
	"strings"
)

var (
	schemaCommands = []string{
		"import jsonschema in.json --out new.yaml", "import jsonschema in.json --out new.yaml --strict",
	}
	asyncCommands = []string{"import asyncapi in.yaml --out new.yaml"}
	initCommands  = []string{"init", "schema", "version"}
)

// importCorpus is documents to import.
func importCorpus(size int) map[string]func() pair {
	half := size / 2
	all := map[string]func() pair{"init": func() pair { return pair{commands: initCommands} }}
	for name, build := range map[string]func() string{
		"members": func() string {
			return `{"type": "object", "properties": {` + list(size, `"pN": {"type": "string"}`) + `}}`
		},
		"same members": func() string {
			return `{"type": "object", "properties": {` + list(size, `"p": {"type": "string"}`) + `}}`
		},
		"colliding members": func() string {
			return `{"type": "object", "properties": {` + list(size, `"p_N": {"type": "string"}, "p-N": {}`) + `}}`
		},
		"objects in objects": func() string { return nested(half/30, `{"type": "object", "properties": {"a": `, "{}", "}}") },
		"arrays in arrays":   func() string { return nested(half/30, `{"type": "array", "items": `, "{}", "}") },
		"brackets":           func() string { return nested(half, "[", "", "]") },
		"inline objects": func() string {
			return `{"type": "object", "properties": {` +
				list(size, `"pN": {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}`) + `}}`
		},
		"equal objects": func() string {
			same := `{"type": "object", "properties": {` + list(1000, `"qN": {"type": "string"}`) + `}}`
			return `{"type": "object", "properties": {` + list(size, `"pN": `+strings.ReplaceAll(same, "N", "")) + `}}`
		},
		"definitions": func() string {
			return `{"type": "object", "properties": {` + list(half, `"pN": {"$ref": "#/$defs/dN"}`) + `}, "$defs": {` +
				list(half, `"dN": {"type": "object", "properties": {"a": {"type": "string"}}}`) + `}}`
		},
		"definitions that all use": func() string {
			return `{"type": "object", "properties": {` + list(half, `"pN": {"$ref": "#/$defs/d"}`) + `}, "$defs": {"d": ` +
				`{"type": "object", "properties": {` + list(half, `"qN": {"type": "integer"}`) + `}}}}`
		},
		"chain of references": func() string {
			var b strings.Builder
			n := size / 30
			for i := range n {
				fmt.Fprintf(&b, `"d%d": {"$ref": "#/$defs/d%d"}, `, i, i+1)
			}
			return `{"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {` + b.String() +
				fmt.Sprintf(`"d%d": {"type": "string"}}}`, n)
		},
		"cycle of references": func() string {
			var b []string
			n := size / 30
			for i := range n {
				b = append(b, fmt.Sprintf(`"d%d": {"$ref": "#/$defs/d%d"}`, i, (i+1)%n))
			}
			return `{"type": "object", "properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {` + strings.Join(b, ", ") + `}}`
		},
		"doubling allOf": func() string {
			var b []string
			for i := range 60 {
				b = append(b, fmt.Sprintf(`"d%d": {"allOf": [{"$ref": "#/$defs/d%d"}, {"properties": `+
					`{"p%d": {"$ref": "#/$defs/d%d"}, `+
					`"q": {"allOf": [{"$ref": "#/$defs/d%d"}, {"title": "x"}]}}}]}`, i, i+1, i, i+1, i+1))
			}
			return `{"allOf": [{"$ref": "#/$defs/d0"}], "type": "object", "$defs": {` + strings.Join(b, ", ") +
				`, "d60": {"type": "object"}}}`
		},
		"large parts in allOf": func() string {
			return `{"type": "object", "properties": {` +
				list(size, `"pN": {"allOf": [{"$ref": "#/$defs/big"}, {"properties": {"xN": {}}}]}`) + `}, "$defs": {"big": ` +
				`{"type": "object", "properties": {` + list(size/50, `"qN": {"type": "string"}`) + `}}}}`
		},
		"references by pointer": func() string {
			return `{"type": "object", "properties": {"o": {"type": "object"}, ` +
				list(size, `"pN": {"$ref": "#/properties/p0/properties/x/items"}`) + `}}`
		},
		"identifiers": func() string {
			return `{"$id": "https://example.com/a", "type": "object", "properties": {` +
				list(size, `"pN": {"$id": "bN", "$anchor": "aN", "$ref": "#aN"}`) + `}}`
		},
		"missing references": func() string {
			return `{"type": "object", "properties": {` + list(size, `"pN": {"$ref": "https://example.com/N#/a"}`) + `}}`
		},
		"keywords that are lost": func() string {
			return `{"type": "object", "properties": {` +
				list(size, `"pN": {"type": "string", "pattern": "(?=a)N", "$dynamicRef": "#x", "format": "N"}`) + `}}`
		},
		"values": func() string {
			return `{"type": "object", "properties": {"a": {"enum": [` + list(half, `"vN"`) + `]}, "b": {"enum": [` +
				list(half, "N, 1.5, null") + `]}}}`
		},
		"parts": func() string {
			return `{"type": "object", "allOf": [` + list(size, `{"properties": {"aN": {"type": "string"}}}`) + `]}`
		},
		"alternatives": func() string {
			return `{"type": "object", "properties": {"a": {"anyOf": [` + list(half, `{"type": "string", "minLength": N}`) +
				`]}, "b": {"oneOf": [` + list(half, `{"type": "object", "properties": {"k": `+
				`{"const": "N"}}, "required": ["k"]}`) + `]}}}`
		},
		"types of draft 3": func() string {
			return `{"type": "object", "properties": {"a": {"type": [` + list(size, `"string"`) + `]}}}`
		},
		"dependencies": func() string {
			return `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", ` +
				`"properties": {}, "dependencies": {` +
				list(size, `"aN": ["b"], "bN": {"required": ["c"]}`) + `}}`
		},
		"deep properties": func() string {
			return nested(95, `{"type": "object", "properties": {"p": `, `{"type": "object", "properties": {`+
				list(size, `"pN": {}`)+"}}", "}}")
		},
		"numbers": func() string {
			return `{"type": "object", "properties": {` + list(half, `"pN": {"type": "number", "multipleOf": 1e-30N}`) +
				`, "n": {"const": ` + strings.Repeat("9", half) + `}}}`
		},
		"a long title": func() string {
			return `{"title": "` + strings.Repeat("x ", half) + `", "type": "object", "properties": {}}`
		},
		"a long name": func() string {
			return `{"type": "object", "properties": {"` + strings.Repeat("x", size) +
				`": {}}}`
		},
		"escapes": func() string {
			return `{"title": "` + strings.Repeat(`\u0001`, size/6) +
				`", "type": "object"}`
		},
		"commands of others": func() string {
			return `{"type": "object", "##[error]": [` + list(size, `"::error::N"`) +
				`]}`
		},
	} {
		all["import of "+name] = func() pair {
			return pair{files: map[string]string{"in.json": build()}, commands: schemaCommands}
		}
	}
	const top = "asyncapi: 3.0.0\ninfo: {title: x, version: 1.0.0}\n"
	channels := func(payload string) func() string {
		return func() string {
			return top + "channels: {" +
				some(maxNames, half, "cN: {address: aN, messages: {m: {$ref: '#/components/messages/m'}}}") +
				"}\ncomponents: {messages: {m: {payload: {" + payload + "}}}}\n"
		}
	}
	values, words := list(half, "vN"), strings.Repeat("word ", half/5)
	for name, build := range map[string]func() string{
		"channels": func() string {
			return top + "channels: {" + list(size, "cN: {address: aN, messages: {m: {payload: {type: object}}}}") + "}\n"
		},
		"messages": func() string {
			return top + "channels: {c: {address: a, messages: {" +
				list(size, "mN: {payload: {type: object, properties: {}}}") + "}}}\n"
		},
		"shared payloads": func() string {
			return top + "channels: {c: {address: a, messages: {" +
				list(half, "mN: {payload: {$ref: '#/components/schemas/s'}}") +
				"}}}\ncomponents: {schemas: {s: {type: object, properties: {" + list(half, "pN: {type: string}") + "}}}}\n"
		},
		"operations": func() string {
			return top + "channels: {c: {address: a, messages: {m: {payload: {type: object}}}}}\noperations: {" +
				list(size, "oN: {action: send, channel: {$ref: '#/channels/c'}, "+
					"messages: [{$ref: '#/channels/c/messages/m'}]}") + "}\n"
		},
		"traits": func() string {
			return top + "channels: {c: {address: a, messages: {m: {payload: {type: object}, traits: [" +
				list(size, "{$ref: '#/components/messageTraits/t'}") +
				"]}}}}\ncomponents: {messageTraits: {t: {headers: {type: object}}}}\n"
		},
		"traits of many messages": func() string {
			return top + "channels: {c: {address: a, messages: {" +
				some(maxNames, half, "mN: {payload: {type: object}, traits: [{$ref: '#/components/messageTraits/t'}]}") +
				"}}}\ncomponents: {messageTraits: {t: {examples: [" + list(half, "{payload: {a: N}}") + "]}}}\n"
		},
		"channels of one message":           channels("type: object, properties: {" + list(half, "pN: {}") + "}"),
		"channels of one enum":              channels("type: object, properties: {a: {enum: [" + values + "]}}"),
		"channels of one constant":          channels("type: object, properties: {a: {const: [" + values + "]}}"),
		"channels of one required list":     channels("type: object, allOf: [{required: [" + values + "]}]"),
		"channels of one text":              channels("type: object, description: " + words),
		"channels of one described message": channels("}, description: " + words + ", x: {"),
		"addresses of one name": func() string {
			return top + "channels: {" + list(size, "cN: {address: 'a/{x}', messages: {m: {payload: {type: object}}}}") + "}\n"
		},
		"aliases": func() string {
			return top + "x: &x {type: object, properties: {" + list(1000, "pN: {type: string}") +
				"}}\nchannels: {c: {address: a, messages: {" +
				list(size, "mN: {payload: *x }") + "}}}\n"
		},
		"messages of version 2": func() string {
			return "asyncapi: 2.6.0\ninfo: {title: x, version: 1.0.0}\nchannels: {" +
				list(size, "cN: {publish: {operationId: oN, message: {oneOf: ["+
					"{name: aN, payload: {type: object}}, {name: bN, payload: {}}]}}}") + "}\n"
		},
		"parameters": func() string {
			return top + "channels: {c: {address: 'a', parameters: {" + list(size, "pN: {enum: [a, b]}") +
				"}, messages: {m: {payload: {type: object}}}}}\n"
		},
	} {
		all["import of AsyncAPI "+name] = func() pair {
			return pair{files: map[string]string{"in.yaml": build()}, commands: asyncCommands}
		}
	}
	return all
}
