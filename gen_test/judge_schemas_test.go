package gentest

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// This file generates JSON Schemas for catalogs, as values of encoding/json.

// payloadSchemas draws the schema of a payload.
var payloadSchemas = rapid.Custom(func(t *rapid.T) map[string]any {
	d := schemaDrawer{t: t, types: []string{"Money", "Code", "Node", "Shape", "Level", "Tags", "MaybeText", "Anything",
		"When"}}
	return d.object(3)
})

// drawTypes are the types that payloads may refer to.
func drawTypes(t *testing.T) map[string]any {
	t.Helper()
	var types map[string]any
	err := json.Unmarshal([]byte(`{
		"Money": {"type": "object", "required": ["amount"], "additionalProperties": false, "properties": {
			"amount": {"type": "string", "format": "decimal"}, "currency": {"type": "string", "enum": ["EUR", "USD"]}}},
		"Code": {"type": "string", "pattern": "^[A-Z]+$", "maxLength": 3},
		"Node": {"type": "object", "required": ["n"], "properties": {
			"n": {"type": "integer", "maximum": 9}, "next": {"$ref": "#/types/Node"},
			"perhaps": {"oneOf": [{"$ref": "#/types/Node"}, {"type": "null"}]},
			"all": {"type": "array", "items": {"$ref": "#/types/Node"}, "maxItems": 2},
			"named": {"type": "object", "additionalProperties": {"$ref": "#/types/Node"}}}},
		"Shape": {"oneOf": [
			{"type": "object", "required": ["kind", "r"], "properties": {
				"kind": {"const": "circle"}, "r": {"type": "number", "exclusiveMinimum": 0}}},
			{"type": "object", "required": ["kind"], "additionalProperties": false, "properties": {
				"kind": {"const": "square"}, "side": {"type": "number"}}},
			{"type": "object", "required": ["kind", "parts"], "properties": {
				"kind": {"const": "group"}, "parts": {"type": "array", "items": {"$ref": "#/types/Shape"}}}}]},
		"Level": {"type": "integer", "enum": [-1, 0, 3]},
		"Tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
		"MaybeText": {"type": ["string", "null"], "minLength": 2},
		"Anything": {},
		"When": {"type": "string", "format": "date-time"}
	}`), &types)
	if err != nil {
		t.Fatal(err)
	}
	return types
}

type schemaDrawer struct {
	t     *rapid.T
	types []string
}

func (d schemaDrawer) chance(oneIn int, what string) bool {
	return rapid.IntRange(1, oneIn).Draw(d.t, what) == 1
}

func pickOf[T any](d schemaDrawer, what string, from ...T) T {
	return rapid.SampledFrom(from).Draw(d.t, what)
}

func (d schemaDrawer) object(depth int) map[string]any {
	properties := map[string]any{}
	var required []any
	names := rapid.SampledFrom([]string{"a", "b", "c", "id", "a/b", "~", "größe", "x y", "type"})
	for _, name := range rapid.SliceOfNDistinct(names, 1, 4, rapid.ID).Draw(d.t, "names") {
		properties[name] = d.value(depth - 1)
		if d.chance(2, "required") {
			required = append(required, name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties}
	if required != nil {
		s["required"] = required
	}
	switch pickOf(d, "further", "ignored", "ignored", "refused", "kept", "typed") {
	case "refused":
		s["additionalProperties"] = false
	case "kept":
		s["additionalProperties"] = true
	case "typed":
		s["additionalProperties"] = d.value(depth - 1)
	}
	if d.chance(5, "minProperties") {
		s["minProperties"] = pickOf(d, "min", 1, 2, 3)
	}
	if d.chance(5, "maxProperties") {
		s["maxProperties"] = pickOf(d, "max", 2, 3, 4)
	}
	return s
}

func (d schemaDrawer) value(depth int) any {
	kinds := []string{"string", "string", "format", "enum", "integers", "integer", "integer", "number", "number",
		"boolean", "const", "any", "ref", "ref"}
	if depth > 0 {
		kinds = append(kinds, "object", "object", "array", "array", "map", "union")
	}
	kind := pickOf(d, "kind", kinds...)
	s := d.ofKind(kind, depth)
	if !d.chance(4, "nullable") {
		return s
	}
	switch kind {
	case "any":
	case "const", "ref", "union":
		if kind != "const" && s["$ref"] != "#/types/MaybeText" && s["$ref"] != "#/types/Anything" {
			return map[string]any{"oneOf": []any{s, map[string]any{"type": "null"}}}
		}
	default:
		s["type"] = []any{s["type"], "null"}
		if values, ok := s["enum"].([]any); ok {
			s["enum"] = append(slices.Clone(values), nil)
		}
	}
	return s
}

func (d schemaDrawer) ofKind(kind string, depth int) map[string]any {
	switch kind {
	case "object":
		return d.object(depth)
	case "string":
		return d.text()
	case "format":
		return map[string]any{"type": "string", "format": pickOf(d, "format", slices.Sorted(maps.Keys(formatSamples))...)}
	case "enum":
		return map[string]any{"type": "string", "enum": []any{"open", "done", "", "1"}}
	case "integers":
		return map[string]any{"type": "integer", "enum": []any{1, 2, -1}}
	case "integer":
		s := map[string]any{"type": "integer"}
		if d.chance(3, "format") {
			s["format"] = pickOf(d, "format", "int32", "int64", "uint64")
		}
		return d.bounds(s, json.Number("0"), "1", "-1", "10", "2.5", "100", "12345678901", "123456789123456789123")
	case "number":
		s := map[string]any{"type": "number"}
		if d.chance(5, "format") {
			s["format"] = "double"
		}
		return d.bounds(s, json.Number("0"), "0.1", "-1", "0.3", "1e2", "2.5", "0.01")
	case "boolean":
		return map[string]any{"type": "boolean"}
	case "const":
		return map[string]any{"const": pickOf[any](d, "const", "x", "", 1, json.Number("1.5"), true, "ü\"\\")}
	case "any":
		return map[string]any{}
	case "ref":
		return map[string]any{"$ref": "#/types/" + pickOf(d, "type", d.types...)}
	case "array":
		s := map[string]any{"type": "array", "items": d.value(depth - 1)}
		if d.chance(4, "minItems") {
			s["minItems"] = pickOf(d, "min", 1, 2)
		}
		if d.chance(4, "maxItems") {
			s["maxItems"] = pickOf(d, "max", 2, 3)
		}
		if d.chance(3, "uniqueItems") {
			s["uniqueItems"] = true
		}
		return s
	case "map":
		return map[string]any{"type": "object", "additionalProperties": d.value(depth - 1)}
	case "union":
		return map[string]any{"oneOf": []any{d.branch("one", depth), d.branch("two", depth), d.branch("a b", depth)}}
	}
	panic(kind)
}

func (d schemaDrawer) branch(value string, depth int) map[string]any {
	s := d.object(depth - 1)
	s["properties"].(map[string]any)["tag"] = map[string]any{"const": value}
	required, _ := s["required"].([]any)
	s["required"] = append(required, "tag")
	return s
}

// patternSamples are patterns, each with texts that it matches.
var patternSamples = map[string][]string{
	"^[A-Z]{2,3}$": {"AB", "ABC"}, "b+": {"abba", "b"}, `^\d+\.\d{2}$`: {"1.00", "12.34"}, "^$|^x": {"", "xyz"},
	"ü": {"grün"}, "`\\\\": {"`\\"},
}

func (d schemaDrawer) text() map[string]any {
	s := map[string]any{"type": "string"}
	if d.chance(3, "minLength") {
		s["minLength"] = pickOf(d, "min", 1, 2, 3)
	}
	if d.chance(3, "maxLength") {
		s["maxLength"] = pickOf(d, "max", 3, 4, 10)
	}
	if d.chance(3, "pattern") {
		s["pattern"] = pickOf(d, "pattern", slices.Sorted(maps.Keys(patternSamples))...)
	}
	return s
}

func (d schemaDrawer) bounds(s map[string]any, from ...json.Number) map[string]any {
	for _, keyword := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"} {
		if d.chance(5, keyword) {
			s[keyword] = pickOf(d, keyword, from...)
		}
	}
	if d.chance(4, "multipleOf") {
		s["multipleOf"] = pickOf(d, "multipleOf", json.Number("2"), "0.1", "0.01", "2.5", "3", "1e2", "123456789123456789123")
	}
	return s
}

// formatSamples are valid and invalid texts for each format, except for an email address with nothing before the @,
// which the validator accepts and bqgen rejects.
var formatSamples = map[string][]string{
	"date-time": {"2026-02-03T04:05:06Z", "2026-02-03t04:05:06.789z", "2026-02-30T04:05:06Z", "2026-02-03T24:00:00Z",
		"2026-02-03T04:05:06+02:00", "2026-02-03 04:05:06Z", "2026-02-03T04:05:06", "2026-02-03T04:05:06,5Z",
		"2026-02-03T04:05:06+24:00", "0000-01-01T00:00:00Z"},
	"date": {"2026-02-03", "2024-02-29", "2026-02-29", "2026-2-3", "20260203", "2026-13-01", "2026-02-03Z", "",
		"02026-02-03"},
	"time": {"04:05:06Z", "04:05:06.5+01:00", "04:05:06", "24:00:00Z", "4:05:06Z", "04:05Z", "04:05:06z", "23:59:60Z",
		"22:59:60Z", "04:05:06+1:00"},
	"duration": {"P1D", "PT1H", "P1Y2M3DT4H5M6S", "P2W", "P", "PT", "P1", "P1H", "PT1D", "P1W2D", "P1S", "1D", "P-1D",
		"P1.5D", "PT1M1H", "P1DT"},
	"uuid": {"0f8fad5b-d9cb-469f-a165-70867728950e", "0F8FAD5B-D9CB-469F-A165-70867728950E",
		"0f8fad5bd9cb469fa16570867728950e", "{0f8fad5b-d9cb-469f-a165-70867728950e}", "0f8fad5b-d9cb-469f-a165-70867728950",
		"0f8fad5b-d9cb-469f-a165-7086772895zz"},
	"byte":    {"", "AA==", "AQID", "AQI=", "AQ", "AQ=", "AR==", "AQID\n", "-_==", "A===", "AQ==AQ=="},
	"decimal": {"0", "-0", "1.50", "-12.00", "01", ".5", "5.", "1e3", "+1", "", " 1", "99999999999999999999.9", "1.2.3"},
	"uri": {"https://example.com/a?b#c", "urn:babel:a", "mailto:a@b.c", "/relative", "example.com", "",
		"http://[::1]/", "http://a b/", "https://example.com:80/%41", "http://[v6]/", "://x"},
	"email": {"a@example.com", "a.b+c@x.y", "a@b", "a@", "a", "a..b@c", ".a@c", "a@-b", "\"a b\"@c", "a@[127.0.0.1]",
		"a@[IPv6:::1]", "a@[1]", "ü@c", "a b@c"},
	"hostname": {"example.com", "a", "a-b.c", "-a", "a-", "a..b", "a_b", "", ".", "example.com.", "xn--nxasmq6b",
		"1.2.3.4", "ü.de"},
	"ipv4": {"127.0.0.1", "0.0.0.0", "256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5", "::1", "", "1.2.3.4/8"},
	"ipv6": {"::1", "2001:db8::8a2e:370:7334", "::ffff:1.2.3.4", "1::2::3", "fe80::1%eth0", "1.2.3.4", ":", "12345::",
		"", "[::1]", "::FFFF"},
}
