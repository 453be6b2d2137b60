package compat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/babelqueue/bqgen/schema"
)

// A renderer writes schemas as JSON Schema 2020-12, for the judge.
type renderer struct {
	names map[*schema.Type]string
	defs  map[string]any
}

// renderSchema writes one that stands on its own.
func renderSchema(s *schema.Schema) any {
	r := &renderer{names: map[*schema.Type]string{}, defs: map[string]any{}}
	out := r.render(s)
	return map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": r.defs, "allOf": []any{out}}
}

func (r *renderer) render(s *schema.Schema) any {
	out := r.value(s)
	if s.Nullable {
		return map[string]any{"anyOf": []any{out, map[string]any{"type": "null"}}}
	}
	return out
}

func (r *renderer) value(s *schema.Schema) any {
	out := map[string]any{}
	switch s.Kind {
	case schema.Any:
		return true
	case schema.Ref:
		return map[string]any{"$ref": r.ref(s.Target)}
	case schema.Union:
		return r.union(s)
	case schema.Object:
		out["type"] = "object"
		r.object(s, out)
	case schema.Array:
		out["type"] = "array"
		out["items"] = r.render(s.Items)
		setInt(out, "minItems", s.MinItems)
		setInt(out, "maxItems", s.MaxItems)
		out["uniqueItems"] = s.UniqueItems
	case schema.String:
		out["type"] = "string"
		setInt(out, "minLength", s.MinLength)
		setInt(out, "maxLength", s.MaxLength)
		out["allOf"] = stringFormat(s)
	case schema.Boolean:
		out["type"] = "boolean"
	case schema.Integer, schema.Number:
		out["type"] = "number"
		if s.Kind == schema.Integer {
			out["type"] = "integer"
		}
		setNum(out, "minimum", s.Minimum)
		setNum(out, "maximum", s.Maximum)
		setNum(out, "exclusiveMinimum", s.ExclusiveMinimum)
		setNum(out, "exclusiveMaximum", s.ExclusiveMaximum)
		setNum(out, "multipleOf", s.MultipleOf)
		out["allOf"] = []any{numberRange(s)}
	}
	if values := validValues(s); values != nil {
		out["enum"] = values
	}
	return out
}

// ref names a type by number: names of several files may be the same.
func (r *renderer) ref(t *schema.Type) string {
	name, met := r.names[t]
	if !met {
		name = fmt.Sprintf("t%d", len(r.names))
		r.names[t] = name
		r.defs[name] = r.render(t.Schema)
	}
	return "#/$defs/" + name
}

func (r *renderer) object(s *schema.Schema, out map[string]any) {
	properties := make(map[string]any, len(s.Properties))
	required := []any{}
	for _, p := range s.Properties {
		properties[p.Name] = r.render(p.Schema)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	out["properties"], out["required"] = properties, required
	switch {
	case s.Additional == schema.AdditionalForbidden:
		out["additionalProperties"] = false
	case s.AdditionalSchema != nil:
		out["additionalProperties"] = r.render(s.AdditionalSchema)
	}
	setInt(out, "minProperties", s.MinProperties)
	setInt(out, "maxProperties", s.MaxProperties)
}

func (r *renderer) union(s *schema.Schema) any {
	var branches, known []any
	for _, b := range s.Branches {
		branches = append(branches, r.render(b.Schema))
		known = append(known, b.Value)
	}
	if s.KeepUnknown {
		branches = append(branches, map[string]any{
			"type": "object", "required": []any{s.Discriminator},
			"properties": map[string]any{s.Discriminator: map[string]any{"type": "string", "not": map[string]any{"enum": known}}},
		})
	}
	return map[string]any{"oneOf": branches}
}

func stringFormat(s *schema.Schema) []any {
	all := []any{true} // allOf must not be empty
	if s.Pattern != "" {
		all = append(all, map[string]any{"pattern": s.Pattern})
	}
	switch s.Format {
	case schema.NoFormat:
	case schema.Byte:
		all = append(all, map[string]any{"pattern": `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$`})
	case schema.Decimal:
		all = append(all, map[string]any{"pattern": `^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`})
	default:
		all = append(all, map[string]any{"format": formatNames[s.Format]})
	}
	return all
}

// formatNames are those that JSON Schema defines itself.
var formatNames = map[schema.Format]string{
	schema.DateTime: "date-time", schema.UUID: "uuid", schema.Date: "date", schema.TimeOfDay: "time",
	schema.Duration: "duration", schema.URI: "uri", schema.Email: "email", schema.Hostname: "hostname",
	schema.IPv4: "ipv4", schema.IPv6: "ipv6",
}

// numberRange is what the Go type can hold.
func numberRange(s *schema.Schema) any {
	low, high := formatRange(s)
	out := map[string]any{}
	if low != "" {
		out["minimum"], out["maximum"] = json.Number(low), json.Number(high)
	}
	return out
}

// formatRange is what the Go type can hold; empty when that is as much as any other can.
func formatRange(s *schema.Schema) (low, high string) {
	switch {
	case s.Format == schema.Int32:
		return "-2147483648", "2147483647"
	case s.Format == schema.Uint64:
		return "0", "18446744073709551615"
	case s.Format == schema.Float:
		text, _ := json.Marshal(float64(math.MaxFloat32))
		return "-" + string(text), string(text)
	case s.Kind == schema.Integer:
		return "-9223372036854775808", "9223372036854775807"
	}
	return "", ""
}

// validValues are those of const or enum; nil is no such limit.
func validValues(s *schema.Schema) []any {
	if s.Const != nil {
		return []any{decode(s.Const.JSON)}
	}
	var values []any
	for _, v := range s.Enum {
		if v.Integer {
			values = append(values, json.Number(v.Value))
		} else {
			values = append(values, v.Value)
		}
	}
	return values
}

// decode reads JSON as the judge wants it, with numbers digit by digit.
func decode(text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil
	}
	return v
}

func setInt(out map[string]any, key string, v *int) {
	if v != nil {
		out[key] = json.Number(fmt.Sprint(*v))
	}
}

func setNum(out map[string]any, key string, v *schema.Num) {
	if v != nil {
		out[key] = json.Number(v.Text)
	}
}
