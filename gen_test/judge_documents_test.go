package gentest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// documents generates documents for a schema: most are meant to be valid, some have one thing changed, and a few are
// arbitrary.
func (c *judgedCatalog) documents(s *judgedSchema, seed int) [][]byte {
	w := &documentWriter{random: rand.New(rand.NewPCG(uint64(seed), 7)), types: c.types}
	var all [][]byte
	for range documentsPerSchema {
		document := w.value(s.schema, 0)
		all = append(all, text(document), text(w.mutate(document)))
	}
	for range documentsPerSchema / 4 {
		all = append(all, text(w.any(2)))
	}
	return all
}

func text(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

type documentWriter struct {
	random *rand.Rand
	types  map[string]any
}

func (w *documentWriter) chance(oneIn int) bool { return w.random.IntN(oneIn) == 0 }

func anyOf[T any](w *documentWriter, from ...T) T { return from[w.random.IntN(len(from))] }

// value generates a value that should be valid by s.
func (w *documentWriter) value(schema any, depth int) any {
	s, _ := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		return w.value(w.types[strings.TrimPrefix(ref, "#/types/")], depth+1)
	}
	if branches, ok := s["oneOf"].([]any); ok {
		for { // not a deep one when it is deep already
			branch := anyOf(w, branches...)
			if v := w.value(branch, depth+1); depth < 6 || len(text(v)) < 200 {
				return v
			}
		}
	}
	if c, ok := s["const"]; ok {
		return c
	}
	if values, ok := s["enum"].([]any); ok {
		return anyOf(w, values...)
	}
	kind, _ := s["type"].(string)
	if kinds, ok := s["type"].([]any); ok {
		if w.chance(3) {
			return nil
		}
		kind = kinds[0].(string)
	}
	switch kind {
	case "object":
		return w.object(s, depth)
	case "array":
		return w.array(s, depth)
	case "string":
		return w.text(s)
	case "integer", "number":
		return w.number(s, kind)
	case "boolean":
		return w.chance(2)
	case "null":
		return nil
	}
	return w.any(2)
}

func (w *documentWriter) object(s map[string]any, depth int) any {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) || depth < 5 && w.chance(2) {
			out[name] = w.value(properties[name], depth+1)
		}
	}
	further, isSet := s["additionalProperties"]
	if further == false || depth > 5 {
		return out
	}
	for range w.random.IntN(3) {
		name := anyOf(w, "zz", "y", "", "größer", "n/~")
		if isSet && further != true {
			out[name] = w.value(further, depth+1)
		} else {
			out[name] = w.any(1)
		}
	}
	return out
}

func (w *documentWriter) array(s map[string]any, depth int) any {
	least, _ := s["minItems"].(int)
	most := 3
	if max, ok := s["maxItems"].(int); ok {
		most = max
	}
	if depth > 5 {
		most = least
	}
	out := []any{}
	for range least + w.random.IntN(max(1, most-least+1)) {
		out = append(out, w.value(s["items"], depth+1))
	}
	return out
}

func (w *documentWriter) text(s map[string]any) any {
	if format, ok := s["format"].(string); ok {
		samples := formatSamples[format]
		if w.chance(2) {
			return anyOf(w, samples...)
		}
		return samples[0]
	}
	if pattern, ok := s["pattern"].(string); ok && patternSamples[pattern] != nil {
		return anyOf(w, patternSamples[pattern]...)
	}
	return anyOf(w, "", "a", "ab", "abc", "üü", "👍👍👍", "x👍", "abcdefghijk", "open", "AB", "a\"\\\n\u2028<")
}

func (w *documentWriter) number(s map[string]any, kind string) any {
	n := anyOf[json.Number](w, "0", "1", "2", "3", "-1", "1.0", "1e2", "10", "100", "-0", "99", "101", "200.0")
	if kind == "number" && w.chance(2) {
		n = anyOf[json.Number](w, "0.1", "0.3", "0.5", "2.5", "7.5", "1e-7", "-2.5", "0.30", "1.15", "0.07", "1e21",
			"123456.789")
	}
	switch {
	case !w.chance(8):
	case kind == "number": // none that a float64 has to round: those are checked as what they become
		n = anyOf[json.Number](w, "12345678901", "2147483648", "1e30", "1.8446744073709552e19", "5e-324",
			"-1.7976931348623157e308", "1e400")
	default:
		n = anyOf[json.Number](w, "12345678901", "9007199254740993", "2147483648", "-2147483649", "9223372036854775807",
			"9223372036854775808", "18446744073709551615", "18446744073709551616", "1e30")
	}
	return n
}

// any generates arbitrary JSON.
func (w *documentWriter) any(depth int) any {
	if depth > 0 && w.chance(2) {
		if w.chance(2) {
			return []any{w.any(depth - 1), w.any(depth - 1)}
		}
		return map[string]any{anyOf(w, "a", "b", "id", "kind", "tag", "n"): w.any(depth - 1),
			anyOf(w, "c", "q"): w.any(depth - 1)}
	}
	return anyOf[any](w, nil, true, false, "", "a", "one", "circle", json.Number("0"), json.Number("1.5"),
		json.Number("1.0"), []any{}, map[string]any{})
}

// mutate changes one thing in a document.
func (w *documentWriter) mutate(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		names := slices.Sorted(maps.Keys(out))
		switch {
		case len(names) == 0 || w.chance(8):
			out[anyOf(w, "extra", "a", "tag", "kind")] = w.any(1)
		case w.chance(6):
			delete(out, anyOf(w, names...))
		default:
			name := anyOf(w, names...)
			out[name] = w.mutate(out[name])
		}
		return out
	case []any:
		out := slices.Clone(v)
		switch {
		case len(out) == 0 || w.chance(6):
			return append(out, w.any(1))
		case w.chance(5):
			return append(out, out[0])
		case w.chance(5):
			return out[:len(out)-1]
		}
		i := w.random.IntN(len(out))
		out[i] = w.mutate(out[i])
		return out
	case string:
		return anyOf[any](w, v+"x", "", strings.ToUpper(v), v+" ", w.any(1))
	case json.Number:
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return w.any(1)
		}
		return anyOf[any](w, json.Number(fmt.Sprint(f+1)), json.Number(fmt.Sprint(-f)), json.Number(fmt.Sprint(f/2)),
			string(v), w.any(1))
	}
	return w.any(1)
}
