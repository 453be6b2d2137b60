package asyncapi

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/jsonobj"
)

const refPattern = `^\$ref$` // of a member called $ref

// adapt turns a schema of JSON Schema 2020-12 into one of AsyncAPI, whose schemas are a superset of draft 7. There,
// types are components instead of $defs, a $ref has no siblings, and some keywords have other names. minContains,
// maxContains and the keywords about what is not evaluated do not exist: they stay for readers, and validators pass
// over them.
//
// Besides, AsyncAPI's tools take every member called $ref for a reference, wherever it is, and follow it. A catalog
// must not make them open files, so that such members are expressed in other ways, or left out where they are no part
// of what is valid.
func adapt(v any) any {
	s, ok := v.(object)
	if !ok {
		return v // true or false
	}
	a := adapter{all: len(s) > 1}
	for _, m := range s {
		a.keyword(m, s)
	}
	if a.patterns != nil {
		a.out = append(a.out, jsonobj.Member{Name: "patternProperties", Value: a.patterns})
	}
	if a.dependencies != nil {
		a.out = append(a.out, jsonobj.Member{Name: "dependencies", Value: a.dependencies})
	}
	if a.parts != nil {
		a.out = append(a.out, jsonobj.Member{Name: "allOf", Value: a.parts})
	}
	return a.out
}

// An adapter collects the keywords of one schema.
type adapter struct {
	all          bool // there are several
	out          object
	patterns     object
	dependencies object
	parts        list // of allOf
}

func (a *adapter) keyword(m jsonobj.Member, s object) {
	add := func(name string, value any) { a.out = append(a.out, jsonobj.Member{Name: name, Value: value}) }
	switch m.Name {
	case "$ref":
		text, _ := m.Value.(string)
		ref := object{{Name: m.Name, Value: strings.Replace(text, "#/$defs/", "#/components/schemas/", 1)}}
		if a.all {
			a.parts = append(a.parts, ref)
		} else {
			a.out = ref
		}
	case "properties":
		members := make(object, 0)
		for _, p := range asObject(m.Value) {
			if p.Name == "$ref" {
				a.pattern(refPattern, adapt(p.Value))
			} else {
				members = append(members, jsonobj.Member{Name: p.Name, Value: adapt(p.Value)})
			}
		}
		add(m.Name, members)
	case "patternProperties":
		for _, p := range asObject(m.Value) {
			a.pattern(p.Name, adapt(p.Value))
		}
	case "dependentRequired", "dependentSchemas":
		for _, p := range asObject(m.Value) {
			a.dependency(p.Name, adapt(p.Value))
		}
	case "items":
		if s.Get("prefixItems") != nil {
			add("additionalItems", adapt(m.Value))
		} else {
			add(m.Name, adapt(m.Value))
		}
	case "prefixItems":
		add("items", adaptAll(m.Value))
	case "contains":
		if least := s.Get("minContains"); least == nil || !isZero(least) { // draft 7 asks for one
			add(m.Name, adapt(m.Value))
		}
	case "not", "if", "then", "else", "additionalProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems":
		add(m.Name, adapt(m.Value))
	case "oneOf", "anyOf":
		add(m.Name, adaptAll(m.Value))
	case "allOf":
		a.parts = append(a.parts, adaptAll(m.Value)...)
	case "const":
		if refers(m.Value) {
			a.parts = append(a.parts, exactly(m.Value))
		} else {
			add(m.Name, m.Value)
		}
	case "enum":
		a.enum(m)
	case "examples":
		add(m.Name, slices.DeleteFunc(asList(m.Value), refers))
	default:
		if !refers(m.Value) {
			add(m.Name, m.Value)
		}
	}
}

func adaptAll(schemas any) list {
	all := make(list, 0)
	for _, s := range asList(schemas) {
		all = append(all, adapt(s))
	}
	return all
}

// pattern adds to patternProperties. A pattern $ref matches nothing.
func (a *adapter) pattern(name string, s any) {
	if name == "$ref" {
		return
	}
	for i, known := range a.patterns {
		if known.Name == name {
			a.patterns[i].Value = object{{Name: "allOf", Value: list{known.Value, s}}}
			return
		}
	}
	a.patterns = append(a.patterns, jsonobj.Member{Name: name, Value: s})
}

// dependency says what holds when a member is there: a schema, or a list of other members.
func (a *adapter) dependency(name string, then any) {
	if a.dependencies.Get(name) == nil && name != "$ref" {
		a.dependencies = append(a.dependencies, jsonobj.Member{Name: name, Value: then})
		return
	}
	if names, ok := then.(list); ok {
		then = object{{Name: "required", Value: names}}
	}
	a.parts = append(a.parts, object{
		{Name: "if", Value: object{{Name: "required", Value: list{name}}}}, {Name: "then", Value: then},
	})
}

func (a *adapter) enum(m jsonobj.Member) {
	var plain, others list
	for _, v := range asList(m.Value) {
		if refers(v) {
			others = append(others, exactly(v))
		} else {
			plain = append(plain, v)
		}
	}
	values := jsonobj.Member{Name: m.Name, Value: plain}
	if others == nil {
		a.out = append(a.out, values)
		return
	}
	if plain != nil {
		others = append(others, object{values})
	}
	a.parts = append(a.parts, object{{Name: "anyOf", Value: others}})
}

// exactly writes a schema that is valid for one value only, without a member called $ref.
func exactly(value any) object {
	if !refers(value) {
		return object{{Name: "const", Value: value}}
	}
	if items, ok := value.(list); ok {
		all := make(list, len(items))
		for i, item := range items {
			all[i] = exactly(item)
		}
		return object{
			{Name: "type", Value: "array"}, {Name: "minItems", Value: len(all)}, {Name: "items", Value: all},
			{Name: "additionalItems", Value: false},
		}
	}
	var names list
	members, patterns := make(object, 0), object{}
	for _, m := range asObject(value) {
		names = append(names, m.Name)
		if m.Name == "$ref" {
			patterns = object{{Name: refPattern, Value: exactly(m.Value)}}
		} else {
			members = append(members, jsonobj.Member{Name: m.Name, Value: exactly(m.Value)})
		}
	}
	return object{
		{Name: "type", Value: "object"}, {Name: "required", Value: names}, {Name: "properties", Value: members},
		{Name: "patternProperties", Value: patterns}, {Name: "additionalProperties", Value: false},
	}
}

// refers reports whether a value has a member called $ref somewhere.
func refers(value any) bool {
	switch v := value.(type) {
	case object:
		return slices.ContainsFunc(v, func(m jsonobj.Member) bool { return m.Name == "$ref" || refers(m.Value) })
	case list:
		return slices.ContainsFunc(v, refers)
	}
	return false
}

// asObject returns an object as it is, and nothing of what has another type.
func asObject(v any) object {
	o, _ := v.(object)
	return o
}

func asList(v any) list {
	l, _ := v.(list)
	return l
}

// isZero reports whether a number is 0, as it may be written.
func isZero(v any) bool {
	n, ok := v.(json.Number)
	f, err := n.Float64()
	return ok && err == nil && f == 0
}
