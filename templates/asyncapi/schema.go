package asyncapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// schema adds the payload's schema to the components, with all types that it refers to.
//
// AsyncAPI's schemas are a superset of JSON Schema draft 7. What a payload can express is the same in both, with two
// differences: types are components instead of $defs, and a $ref has no siblings. Besides, AsyncAPI's tools take every
// member called $ref for a reference, wherever it is, and follow it: a payload must not make them open files.
func (e *exporter) schema(name string, u *schema.URN) (object, error) {
	var types []*schema.Type // that are not among the components yet
	r := jsonschema.Renderer{Annotations: true, RefTo: func(t *schema.Type) string {
		if !e.met[t] {
			e.met[t] = true
			types = append(types, t)
		}
		return "#/$defs/" + pointer.EscapeFragment(t.Name)
	}}
	top, err := rendered(&r, e.named(u.Data, u))
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(types); i++ { // rendering a type brings up others
		s, err := rendered(&r, types[i].Schema)
		if err != nil {
			return nil, err
		}
		e.add(types[i].Name, s)
	}
	return e.add(name, top), nil
}

// rendered returns a schema as AsyncAPI wants it.
func rendered(r *jsonschema.Renderer, s *schema.Schema) (object, error) {
	v, err := jsonobj.Parse(r.Schema(s, "").AppendCompact(nil))
	if err != nil {
		return nil, err
	}
	o, ok := v.(object)
	if !ok {
		return nil, fmt.Errorf("the schema is not an object")
	}
	return adapt(o), nil
}

// named returns a copy of a schema in which the name of every type is the key of its component. This keeps types of the
// same name in different files apart, and makes one type the same component wherever it is used.
func (e *exporter) named(s *schema.Schema, u *schema.URN) *schema.Schema {
	c := *s
	switch s.Kind {
	case schema.Ref:
		c.Target = e.namedType(s.Target, u)
	case schema.Array:
		c.Items = e.named(s.Items, u)
	case schema.Object:
		c.Properties = make([]*schema.Property, len(s.Properties))
		for i, p := range s.Properties {
			copied := *p
			copied.Schema = e.named(p.Schema, u)
			c.Properties[i] = &copied
		}
		if s.AdditionalSchema != nil {
			c.AdditionalSchema = e.named(s.AdditionalSchema, u)
		}
	case schema.Union:
		c.Branches = make([]schema.Branch, len(s.Branches))
		for i, b := range s.Branches {
			b.Schema = e.named(b.Schema, u)
			c.Branches[i] = b
		}
	}
	return &c
}

func (e *exporter) namedType(t *schema.Type, u *schema.URN) *schema.Type {
	if copied := e.types[t]; copied != nil {
		return copied
	}
	wish := key(t.Name, "type")
	if t.Owner != nil {
		wish = e.messages[u] + "." + wish
	}
	name := wish
	for n := 2; e.keys[name]; n++ {
		name = fmt.Sprintf("%s_%d", wish, n)
	}
	e.keys[name] = true
	copied := &schema.Type{Name: name, Pos: t.Pos}
	e.types[t] = copied // before its schema is copied, which may refer to it
	copied.Schema = e.named(t.Schema, u)
	return copied
}

// adapt turns a JSON Schema of 2020-12 into a schema of AsyncAPI. It follows only keywords that contain schemas, so
// values and names of members stay as they are.
func adapt(s object) object {
	out := make(object, 0, len(s))
	for _, m := range s {
		switch m.Name {
		case "$ref":
			m.Value = strings.Replace(m.Value.(string), "#/$defs/", "#/components/schemas/", 1)
			if len(s) > 1 {
				m = jsonobj.Member{Name: "allOf", Value: list{object{m}}}
			}
		case "properties":
			members := make(object, 0)
			for _, p := range m.Value.(object) {
				if p.Name == "$ref" {
					pattern := object{{Name: `^\$ref$`, Value: adapt(p.Value.(object))}}
					out = append(out, jsonobj.Member{Name: "patternProperties", Value: pattern})
				} else {
					members = append(members, jsonobj.Member{Name: p.Name, Value: adapt(p.Value.(object))})
				}
			}
			m.Value = members
		case "default":
			if refers(m.Value) {
				continue
			}
		case "examples":
			m.Value = slices.DeleteFunc(m.Value.(list), refers)
		case "items", "not", "additionalProperties":
			if inner, ok := m.Value.(object); ok {
				m.Value = adapt(inner)
			}
		case "oneOf", "allOf":
			branches := make(list, 0)
			for _, b := range m.Value.(list) {
				branches = append(branches, adapt(b.(object)))
			}
			m.Value = branches
		}
		out = append(out, m)
	}
	return out
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
