package jsonschema

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/schema"
)

// DraftURL names the version of JSON Schema.
const DraftURL = "https://json-schema.org/draft/2020-12/schema"

// The objects that schemas are written as. Besides the usual values they may have json.RawMessage.
type (
	Object = jsonobj.Object
	Member = jsonobj.Member
)

func member(name string, value any) Member { return Member{Name: name, Value: value} }

// Options are the options of [Render].
type Options struct {
	// GoLimits adds the limits of generated code as ordinary keywords: the ranges of integers and numbers. A validator
	// that checks formats as package format does then accepts the same values as generated code.
	GoLimits bool
	// Portable leaves out what strict validators refuse to compile: formats that JSON Schema does not have, and x-
	// keywords. Comments and other keywords say what they can of it.
	Portable bool
}

// Render writes a schema as JSON Schema 2020-12, with all types that it refers to under $defs. It keeps the order of
// the catalog. A union that keeps unknown branches gets a branch for those.
func Render(s *schema.Schema, o Options) []byte {
	names := newTypeNames()
	r := Renderer{GoLimits: o.GoLimits, Portable: o.Portable, Annotations: true, RefTo: names.refTo}
	top := append(Object{{Name: "$schema", Value: DraftURL}}, r.Schema(s, "")...)
	return withTypes(top, r, names).AppendCompact(nil)
}

// typeNames assigns a name of its own to every type that is referred to.
type typeNames struct {
	types []*schema.Type
	names map[*schema.Type]string
	taken map[string]bool
}

func newTypeNames() *typeNames {
	return &typeNames{names: map[*schema.Type]string{}, taken: map[string]bool{}}
}

func (n *typeNames) refTo(t *schema.Type) string {
	name, known := n.names[t]
	if !known {
		name = t.Name
		for i := 2; n.taken[name]; i++ {
			name = t.Name + "_" + strconv.Itoa(i)
		}
		n.names[t], n.taken[name] = name, true
		n.types = append(n.types, t)
	}
	return "#/$defs/" + pointer.EscapeFragment(name)
}

// A Renderer writes schemas as objects, for callers that put a document together from several of them.
type Renderer struct {
	GoLimits    bool // as in [Options]
	Portable    bool // likewise
	Annotations bool // title, description and their like too
	// RefTo returns the URI of a type.
	RefTo func(*schema.Type) string
	// Met is called, if it is set, with every schema that is written, the path to it and the object.
	Met func(s *schema.Schema, path string, rendered Object)

	path string
}

// Schema writes a schema that stands at a path, a JSON Pointer in a URI fragment.
func (w *Renderer) Schema(s *schema.Schema, path string) Object {
	w.path = path
	return w.schema(s)
}

// at writes a schema inside the current one.
func (w *Renderer) at(step string, s *schema.Schema) Object {
	if w.Met == nil {
		return w.schema(s)
	}
	outer := w.path
	w.path += step
	rendered := w.schema(s)
	w.path = outer
	return rendered
}

func (w *Renderer) schema(s *schema.Schema) Object {
	var out Object
	switch s.Kind {
	case schema.Ref:
		out = w.reference(s)
	case schema.Union:
		if s.Discriminator != "" {
			out = w.union(s)
		}
	case schema.Any:
	default:
		out = w.typed(s)
	}
	out = w.appendRules(out, s.Rules)
	if w.Annotations {
		out = append(out, annotationsOf(s)...)
	}
	if w.Portable {
		out = portable(out)
	}
	if w.Met != nil {
		w.Met(s, w.path, out)
	}
	return out
}

// appendRules adds rules to a schema: their keywords, or an allOf where those would collide.
func (w *Renderer) appendRules(out Object, rules []schema.Rule) Object {
	var all []any
	for _, r := range rules {
		rule := w.rule(r.Schema)
		if len(rules) == 1 && !slices.ContainsFunc(rule, func(m Member) bool { return out.Get(m.Name) != nil }) {
			return append(out, rule...)
		}
		all = append(all, rule)
	}
	if all != nil {
		out = append(out, member("allOf", all))
	}
	return out
}

// rule writes a schema of a rule.
func (w *Renderer) rule(rule Object) Object {
	out := make(Object, len(rule))
	for i, m := range rule {
		out[i] = member(m.Name, w.ruleValue(m.Name, m.Value))
	}
	if w.Portable {
		out = portable(out)
	}
	return out
}

// ruleValue writes the value of a keyword of a rule.
func (w *Renderer) ruleValue(keyword string, v any) any {
	switch v := v.(type) {
	case Object:
		switch keyword {
		case "properties", "patternProperties", "dependentSchemas": // schemas by name
			out := make(Object, len(v))
			for i, m := range v {
				out[i] = member(m.Name, w.ruleValue("", m.Value))
			}
			return out
		}
		return w.rule(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = w.ruleValue("", item)
		}
		return list
	case *schema.Type:
		return w.RefTo(v)
	}
	return v
}

// Rules writes what the rules of a schema say, and nothing else of it.
func (w *Renderer) Rules(s *schema.Schema) Object { return w.appendRules(nil, s.Rules) }

// RenderRules writes what the rules of a schema say, and nothing else of it, as [Render] writes a schema.
func RenderRules(s *schema.Schema) []byte {
	names := newTypeNames()
	r := Renderer{RefTo: names.refTo}
	top := r.appendRules(Object{{Name: "$schema", Value: DraftURL}}, s.Rules)
	return withTypes(top, r, names).AppendCompact(nil)
}

func withTypes(top Object, r Renderer, names *typeNames) Object {
	var defs Object
	for i := 0; i < len(names.types); i++ { // rendering a type brings up others
		t := names.types[i]
		defs = append(defs, member(names.names[t], r.Schema(t.Schema, "")))
	}
	if defs != nil {
		top = append(top, member("$defs", defs))
	}
	return top
}

func (w *Renderer) reference(s *schema.Schema) Object {
	ref := Object{{Name: "$ref", Value: w.RefTo(s.Target)}}
	if s.Nullable {
		return Object{{Name: "oneOf", Value: []any{ref, Object{{Name: "type", Value: "null"}}}}}
	}
	return ref
}

func (w *Renderer) union(s *schema.Schema) Object {
	var branches, values []any
	for i, b := range s.Branches {
		branches = append(branches, w.at("/oneOf/"+strconv.Itoa(i), b.Schema))
		values = append(values, b.Value)
	}
	if s.KeepUnknown {
		unknown := Object{{Name: "type", Value: "string"}, {Name: "not", Value: Object{{Name: "enum", Value: values}}}}
		branches = append(branches, Object{
			member("type", "object"),
			member("required", []any{s.Discriminator}),
			member("properties", Object{member(s.Discriminator, unknown)}),
		})
	}
	if s.Nullable {
		branches = append(branches, Object{{Name: "type", Value: "null"}})
	}
	return Object{{Name: "oneOf", Value: branches}}
}

func (w *Renderer) typed(s *schema.Schema) Object {
	out := Object{{Name: "type", Value: s.Kind.String()}}
	if s.Nullable {
		out[0].Value = []any{s.Kind.String(), "null"}
	}
	if s.Const != nil {
		out = append(out, member("const", json.RawMessage(s.Const.JSON)))
		if !w.Annotations {
			return out[1:] // a wrong type is a wrong value: one error for both
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
		out = append(out, member("enum", values))
	}
	switch s.Kind {
	case schema.Object:
		return append(out, w.object(s)...)
	case schema.Array:
		out = append(out, member("items", w.at("/items", s.Items)))
		out = appendCount(out, "minItems", s.MinItems)
		out = appendCount(out, "maxItems", s.MaxItems)
		if s.UniqueItems {
			out = append(out, member("uniqueItems", true))
		}
	case schema.String:
		return append(out, w.text(s)...)
	case schema.Integer, schema.Number:
		return append(out, w.number(s)...)
	}
	return out
}

func (w *Renderer) object(s *schema.Schema) (out Object) {
	var properties Object
	var required []any
	for _, p := range s.Properties {
		step := ""
		if w.Met != nil {
			step = "/properties/" + pointer.EscapeFragment(p.Name)
		}
		properties = append(properties, member(p.Name, w.at(step, p.Schema)))
		if p.Required {
			required = append(required, p.Name)
		}
	}
	if required != nil {
		out = append(out, member("required", required))
	}
	if properties != nil {
		out = append(out, member("properties", properties))
	}
	switch {
	case s.Additional == schema.AdditionalForbidden:
		out = append(out, member("additionalProperties", false))
	case s.Additional == schema.AdditionalKept && s.AdditionalSchema == nil:
		out = append(out, member("additionalProperties", true))
	case s.Additional == schema.AdditionalKept:
		out = append(out, member("additionalProperties", w.at("/additionalProperties", s.AdditionalSchema)))
	}
	out = appendCount(out, "minProperties", s.MinProperties)
	return appendCount(out, "maxProperties", s.MaxProperties)
}

func (w *Renderer) text(s *schema.Schema) (out Object) {
	out = appendCount(out, "minLength", s.MinLength)
	out = appendCount(out, "maxLength", s.MaxLength)
	out = w.format(out, s)
	if s.Pattern != "" {
		out = append(out, member("pattern", s.Pattern))
	}
	return out
}

func (w *Renderer) format(out Object, s *schema.Schema) Object {
	switch {
	case s.Format != schema.NoFormat:
		return append(out, member("format", s.Format.String()))
	case s.OtherFormat != "" && w.Annotations: // validators may know it, and generated code does not check it
		return append(out, member("format", s.OtherFormat))
	}
	return out
}

func (w *Renderer) number(s *schema.Schema) (out Object) {
	out = w.format(out, s)
	minimum, maximum, above, below := s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum
	if w.GoLimits {
		if s.Kind == schema.Integer {
			limits := schema.IntegerLimits(s.Format)
			minimum = schema.Larger(minimum, &schema.Num{Text: limits.Min.RatString()})
			maximum = schema.Smaller(maximum, &schema.Num{Text: limits.Max.RatString()})
		} else {
			overflow := schema.Overflow(s.Format)
			above = schema.Larger(above, &schema.Num{Text: "-" + overflow.Text})
			below = schema.Smaller(below, overflow)
		}
	}
	for _, k := range []struct {
		name string
		num  *schema.Num
	}{
		{"minimum", minimum}, {"maximum", maximum}, {"exclusiveMinimum", above}, {"exclusiveMaximum", below},
		{"multipleOf", s.MultipleOf},
	} {
		if k.num != nil {
			out = append(out, member(k.name, json.Number(k.num.Text)))
		}
	}
	return out
}

func appendCount(out Object, name string, count *int) Object {
	if count == nil {
		return out
	}
	return append(out, member(name, json.Number(strconv.Itoa(*count))))
}

func annotationsOf(s *schema.Schema) (out Object) {
	if s.Title != "" {
		out = append(out, member("title", s.Title))
	}
	if s.Description != "" {
		out = append(out, member("description", s.Description))
	}
	if s.Deprecated {
		out = append(out, member("deprecated", true))
	}
	if s.Default != nil {
		out = append(out, member("default", json.RawMessage(s.Default.JSON)))
	}
	if s.Examples != nil {
		var all []any
		for _, e := range s.Examples {
			all = append(all, json.RawMessage(e.JSON))
		}
		out = append(out, member("examples", all))
	}
	for _, k := range s.PassedOn {
		out = append(out, member(k.Name, json.RawMessage(k.Value.JSON)))
	}
	switch s.Sensitive {
	case "":
	case "true":
		out = append(out, member("x-gdpr-sensitive", true))
	default:
		out = append(out, member("x-gdpr-sensitive", s.Sensitive))
	}
	return out
}
