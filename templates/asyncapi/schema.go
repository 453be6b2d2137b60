package asyncapi

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// schema adds the payload's schema to the components, with all types that it refers to.
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
	o, ok := adapt(v).(object)
	if !ok {
		return nil, fmt.Errorf("the schema is not an object")
	}
	return o, nil
}

// named returns a copy of a schema in which the name of every type is the key of its component. This keeps types of the
// same name in different files apart, and makes one type the same component wherever it is used.
func (e *exporter) named(s *schema.Schema, u *schema.URN) *schema.Schema {
	c := *s
	c.Rules = make([]schema.Rule, len(s.Rules))
	for i, r := range s.Rules {
		c.Rules[i] = schema.Rule{Pos: r.Pos, Schema: e.namedPart(r.Schema, u).(object)}
	}
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

// namedPart is named for a part of a rule.
func (e *exporter) namedPart(part any, u *schema.URN) any {
	switch part := part.(type) {
	case *schema.Type:
		return e.namedType(part, u)
	case list:
		copied := make(list, len(part))
		for i, item := range part {
			copied[i] = e.namedPart(item, u)
		}
		return copied
	case object:
		copied := make(object, len(part))
		for i, m := range part {
			copied[i] = jsonobj.Member{Name: m.Name, Value: e.namedPart(m.Value, u)}
		}
		return copied
	}
	return part
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
