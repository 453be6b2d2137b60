package golang

import "github.com/babelqueue/bqgen/schema"

// constraints remembers of schemas whether they, or anything in them, ask more of a value than its Go type does.
type constraints map[*schema.Schema]bool

// has reports whether there is something to check about values of s.
func (c constraints) has(s *schema.Schema) bool {
	if known, ok := c[s]; ok {
		return known
	}
	visited := map[*schema.Schema]bool{}
	found := c.find(s, visited)
	if found {
		c[s] = true // the other visited schemas may or may not have led there
		return true
	}
	for s := range visited {
		c[s] = false
	}
	return false
}

func (c constraints) find(s *schema.Schema, visited map[*schema.Schema]bool) bool {
	if known, ok := c[s]; ok {
		return known
	}
	if visited[s] {
		return false
	}
	visited[s] = true
	if s.GoType != nil {
		return false
	}
	if isConstrained(s) {
		return true
	}
	for _, p := range s.Properties {
		if isConst := p.Required && p.Schema.Resolve().Const != nil; !isConst && c.find(p.Schema, visited) {
			return true
		}
	}
	for _, b := range s.Branches {
		if c.find(b.Schema, visited) {
			return true
		}
	}
	return s.Items != nil && c.find(s.Items, visited) ||
		s.AdditionalSchema != nil && c.find(s.AdditionalSchema, visited) ||
		s.Kind == schema.Ref && c.find(s.Target.Schema, visited)
}

// isConstrained is about s alone.
func isConstrained(s *schema.Schema) bool {
	return s.Const != nil ||
		s.MinLength != nil || s.MaxLength != nil || s.Pattern != "" || s.Enum == nil && runtimeFormats[s.Format] != "" ||
		s.Minimum != nil || s.Maximum != nil || s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil ||
		s.MultipleOf != nil || s.MinItems != nil || s.MaxItems != nil || s.UniqueItems ||
		s.MinProperties != nil || s.MaxProperties != nil || s.KeepUnknown || len(s.Rules) > 0
}
