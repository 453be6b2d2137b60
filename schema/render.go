package schema

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// RenderOptions says how a schema is written as JSON Schema.
type RenderOptions struct {
	// GoLimits adds, as ordinary keywords, what generated code can hold and how it reads formats that JSON Schema
	// does not know: the ranges of integers and numbers, the text of byte and decimal. A validator that knows
	// JSON Schema and its formats accepts the same values then.
	GoLimits bool
}

// JSONSchema writes the schema as JSON Schema 2020-12, with all types that it refers to under $defs. The order is the
// catalog's. A union that keeps unknown branches gets a branch for those.
func (s *Schema) JSONSchema(o RenderOptions) []byte {
	r := newTypeNames()
	w := renderer{goLimits: o.GoLimits, notes: true, refTo: r.refTo}
	top := append(jsonObject{{"$schema", draftURL}}, w.schema(s)...)
	var defs jsonObject
	for i := 0; i < len(r.types); i++ { // rendering a type brings up others
		t := r.types[i]
		defs = append(defs, jsonMember{r.names[t], w.schema(t.Schema)})
	}
	if defs != nil {
		top = append(top, jsonMember{"$defs", defs})
	}
	return top.appendTo(nil)
}

const draftURL = "https://json-schema.org/draft/2020-12/schema"

// typeNames gives every type that is met a name of its own.
type typeNames struct {
	types []*Type
	names map[*Type]string
	taken map[string]bool
}

func newTypeNames() *typeNames {
	return &typeNames{names: map[*Type]string{}, taken: map[string]bool{}}
}

func (r *typeNames) refTo(t *Type) string {
	name, known := r.names[t]
	if !known {
		name = t.Name
		for n := 2; r.taken[name]; n++ {
			name = t.Name + "_" + strconv.Itoa(n)
		}
		r.names[t], r.taken[name] = name, true
		r.types = append(r.types, t)
	}
	return "#/$defs/" + escapeFragment(name)
}

// escapeFragment makes a name one segment of a JSON Pointer in a URI fragment.
func escapeFragment(name string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c == '~':
			b.WriteString("~0")
		case c == '/':
			b.WriteString("~1")
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// A renderer writes schemas as JSON Schema. It is the only place that knows how.
type renderer struct {
	goLimits bool
	notes    bool // annotations too
	refTo    func(*Type) string
	// met is called with every schema, the path to it and what it was rendered as.
	met  func(s *Schema, path string, rendered jsonObject)
	path string
}

// at renders a schema inside of the one at hand.
func (w *renderer) at(step string, s *Schema) jsonObject {
	if w.met == nil {
		return w.schema(s)
	}
	outer := w.path
	w.path += step
	rendered := w.schema(s)
	w.path = outer
	return rendered
}

func (w *renderer) schema(s *Schema) jsonObject {
	var out jsonObject
	switch s.Kind {
	case Ref:
		out = w.reference(s)
	case Union:
		out = w.union(s)
	case Any:
	default:
		out = w.typed(s)
	}
	if w.notes {
		out = append(out, annotationsOf(s)...)
	}
	if w.met != nil {
		w.met(s, w.path, out)
	}
	return out
}

func (w *renderer) reference(s *Schema) jsonObject {
	ref := jsonObject{{"$ref", w.refTo(s.Target)}}
	if s.Nullable {
		return jsonObject{{"oneOf", []any{ref, jsonObject{{"type", "null"}}}}}
	}
	return ref
}

func (w *renderer) union(s *Schema) jsonObject {
	var branches, values []any
	for i, b := range s.Branches {
		branches = append(branches, w.at("/oneOf/"+strconv.Itoa(i), b.Schema))
		values = append(values, b.Value)
	}
	if s.KeepUnknown {
		unknown := jsonObject{{"type", "string"}, {"not", jsonObject{{"enum", values}}}}
		branches = append(branches, jsonObject{
			{"type", "object"},
			{"required", []any{s.Discriminator}},
			{"properties", jsonObject{{s.Discriminator, unknown}}},
		})
	}
	if s.Nullable {
		branches = append(branches, jsonObject{{"type", "null"}})
	}
	return jsonObject{{"oneOf", branches}}
}

func (w *renderer) typed(s *Schema) jsonObject {
	out := jsonObject{{"type", s.Kind.String()}}
	if s.Nullable {
		out[0].value = []any{s.Kind.String(), "null"}
	}
	if s.Const != nil {
		out = append(out, jsonMember{"const", json.RawMessage(s.Const.JSON)})
		if !w.notes {
			return out[1:] // a wrong type is a wrong value: one finding for both
		}
	}
	if s.Enum != nil {
		values := make([]any, 0, len(s.Enum)+1)
		for _, v := range s.Enum {
			if v.Integer {
				values = append(values, json.Number(v.Value))
			} else {
				values = append(values, v.Value)
			}
		}
		if s.Nullable {
			values = append(values, nil)
		}
		out = append(out, jsonMember{"enum", values})
	}
	switch s.Kind {
	case Object:
		return append(out, w.object(s)...)
	case Array:
		out = append(out, jsonMember{"items", w.at("/items", s.Items)})
		out = appendCount(out, "minItems", s.MinItems)
		out = appendCount(out, "maxItems", s.MaxItems)
		if s.UniqueItems {
			out = append(out, jsonMember{"uniqueItems", true})
		}
	case String:
		return append(out, w.text(s)...)
	case Integer, Number:
		return append(out, w.number(s)...)
	}
	return out
}

func (w *renderer) object(s *Schema) (out jsonObject) {
	var properties jsonObject
	var required []any
	for _, p := range s.Properties {
		step := ""
		if w.met != nil {
			step = "/properties/" + escapeFragment(p.Name)
		}
		properties = append(properties, jsonMember{p.Name, w.at(step, p.Schema)})
		if p.Required {
			required = append(required, p.Name)
		}
	}
	if required != nil {
		out = append(out, jsonMember{"required", required})
	}
	if properties != nil {
		out = append(out, jsonMember{"properties", properties})
	}
	switch {
	case s.Additional == AdditionalForbidden:
		out = append(out, jsonMember{"additionalProperties", false})
	case s.Additional == AdditionalKept && s.AdditionalSchema == nil:
		out = append(out, jsonMember{"additionalProperties", true})
	case s.Additional == AdditionalKept:
		out = append(out, jsonMember{"additionalProperties", w.at("/additionalProperties", s.AdditionalSchema)})
	}
	out = appendCount(out, "minProperties", s.MinProperties)
	return appendCount(out, "maxProperties", s.MaxProperties)
}

// What the text of a format is that JSON Schema does not know.
const (
	bytePattern    = `^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$`
	decimalPattern = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`
)

func (w *renderer) text(s *Schema) (out jsonObject) {
	out = appendCount(out, "minLength", s.MinLength)
	out = appendCount(out, "maxLength", s.MaxLength)
	if s.Format != NoFormat {
		out = append(out, jsonMember{"format", s.Format.String()})
	}
	pattern := ""
	if w.goLimits && s.Format == Byte {
		pattern = bytePattern
	} else if w.goLimits && s.Format == Decimal {
		pattern = decimalPattern
	}
	switch {
	case pattern != "" && s.Pattern != "":
		out = append(out, jsonMember{"pattern", pattern}, jsonMember{"allOf", []any{jsonObject{{"pattern", s.Pattern}}}})
	case pattern != "":
		out = append(out, jsonMember{"pattern", pattern})
	case s.Pattern != "":
		out = append(out, jsonMember{"pattern", s.Pattern})
	}
	return out
}

// The first numbers that do not round to one that a float32 or a float64 can hold: half a step above the largest.
var (
	tooMuchForFloat  = &Num{Text: "340282356779733661637539395458142568448"}                    // 2^128 - 2^103
	tooMuchForDouble = &Num{Text: new(big.Int).Sub(powerOfTwo(1024), powerOfTwo(970)).String()} // 2^1024 - 2^970
)

func (w *renderer) number(s *Schema) (out jsonObject) {
	if s.Format != NoFormat {
		out = append(out, jsonMember{"format", s.Format.String()})
	}
	minimum, maximum, above, below := s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum
	if w.goLimits {
		if limits, ok := limitsOf(s); ok {
			minimum = tighter(minimum, &Num{Text: limits.min.Num().String()}, 1)
			maximum = tighter(maximum, &Num{Text: limits.max.Num().String()}, -1)
		} else {
			tooMuch := tooMuchForDouble
			if s.Format == Float {
				tooMuch = tooMuchForFloat
			}
			above = tighter(above, &Num{Text: "-" + tooMuch.Text}, 1)
			below = tighter(below, tooMuch, -1)
		}
	}
	for _, k := range []struct {
		name string
		num  *Num
	}{{"minimum", minimum}, {"maximum", maximum}, {"exclusiveMinimum", above}, {"exclusiveMaximum", below}, {"multipleOf", s.MultipleOf}} {
		if k.num != nil {
			out = append(out, jsonMember{k.name, json.Number(k.num.Text)})
		}
	}
	return out
}

func appendCount(out jsonObject, name string, count *int) jsonObject {
	if count == nil {
		return out
	}
	return append(out, jsonMember{name, json.Number(strconv.Itoa(*count))})
}

func annotationsOf(s *Schema) (out jsonObject) {
	if s.Title != "" {
		out = append(out, jsonMember{"title", s.Title})
	}
	if s.Description != "" {
		out = append(out, jsonMember{"description", s.Description})
	}
	if s.Deprecated {
		out = append(out, jsonMember{"deprecated", true})
	}
	if s.Default != nil {
		out = append(out, jsonMember{"default", json.RawMessage(s.Default.JSON)})
	}
	if s.Examples != nil {
		var all []any
		for _, e := range s.Examples {
			all = append(all, json.RawMessage(e.JSON))
		}
		out = append(out, jsonMember{"examples", all})
	}
	switch s.Sensitive {
	case "":
	case "true":
		out = append(out, jsonMember{"x-gdpr-sensitive", true})
	default:
		out = append(out, jsonMember{"x-gdpr-sensitive", s.Sensitive})
	}
	return out
}

func powerOfTwo(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
