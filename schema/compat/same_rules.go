package compat

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// A form is the text of a schema or of its rules, in which types have their names, and these types in the order of the
// text. Every form is made once, so that comparing rules takes time that grows with the catalog, however many schemas
// refer to a type.
type form struct {
	text  string
	types []*schema.Type
}

func newForm(render func(*jsonschema.Renderer) jsonschema.Object) *form {
	f := &form{}
	r := jsonschema.Renderer{RefTo: func(t *schema.Type) string {
		f.types = append(f.types, t)
		return t.Name
	}}
	f.text = string(render(&r).AppendCompact(nil))
	return f
}

// forms are those that were made.
type forms struct {
	rules map[*schema.Schema]*form
	types map[*schema.Type]*form
	same  map[typePair]bool          // what is known about pairs of types
	met   map[[2]*schema.Schema]bool // and about the rules of pairs of schemas
}

type typePair struct{ old, new *schema.Type }

func newForms() forms {
	return forms{
		rules: map[*schema.Schema]*form{}, types: map[*schema.Type]*form{}, same: map[typePair]bool{},
		met: map[[2]*schema.Schema]bool{},
	}
}

func (f *forms) ofRules(s *schema.Schema) *form {
	known := f.rules[s]
	if known == nil {
		known = newForm(func(r *jsonschema.Renderer) jsonschema.Object { return r.Rules(s) })
		f.rules[s] = known
	}
	return known
}

func (f *forms) ofType(t *schema.Type) *form {
	known := f.types[t]
	if known == nil {
		known = newForm(func(r *jsonschema.Renderer) jsonschema.Object { return r.Schema(t.Schema, "") })
		f.types[t] = known
	}
	return known
}

// sameRules reports whether the rules of two schemas say the same, as do all types that they refer to. When too much
// was compared already, they count as different.
func (c *comparer) sameRules(o, n *schema.Schema) bool {
	if len(o.Rules) == 0 || len(n.Rules) == 0 {
		return len(o.Rules) == len(n.Rules)
	}
	same, known := c.forms.met[[2]*schema.Schema{o, n}]
	if !known {
		same = c.compareRules(c.forms.ofRules(o), c.forms.ofRules(n))
		c.forms.met[[2]*schema.Schema{o, n}] = same
	}
	return same
}

func (c *comparer) compareRules(old, new *form) bool {
	if old.text != new.text {
		return false
	}
	met := map[typePair]bool{}
	same := true
	for i := range old.types {
		same = same && c.sameTypes(typePair{old.types[i], new.types[i]}, met)
	}
	if same {
		for p := range met {
			c.forms.same[p] = true
		}
	}
	return same
}

// sameTypes compares types and all that they refer to, apart from the pairs that were met. All pairs on the way to a
// difference are different.
func (c *comparer) sameTypes(p typePair, met map[typePair]bool) bool {
	if same, known := c.forms.same[p]; known {
		return same
	}
	if met[p] {
		return true // unless a difference is found elsewhere
	}
	met[p] = true
	c.steps++
	old, new := c.forms.ofType(p.old), c.forms.ofType(p.new)
	same := old.text == new.text && !c.exhausted()
	for i := 0; same && i < len(old.types); i++ {
		same = c.sameTypes(typePair{old.types[i], new.types[i]}, met)
	}
	if !same {
		c.forms.same[p] = false
	}
	return same
}
