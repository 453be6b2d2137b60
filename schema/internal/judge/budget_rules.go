package judge

import (
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
)

// A ruleSize is what matters of a rule to its cost.
type ruleSize struct {
	values   int            // in its JSON Schema
	patterns int            // instructions of all patterns
	types    []*schema.Type // that it refers to
}

// rule takes the most that validating a value against a rule can cost: all of the rule at all of the value.
func (b *Budget) rule(r *schema.Rule, value any) bool {
	size, met := b.rules[r]
	if !met {
		size = &ruleSize{}
		b.measure(size, r.Schema)
		b.rules[r] = size
	}
	return b.everywhere(size, value)
}

func (b *Budget) everywhere(size *ruleSize, value any) bool {
	if !b.Spend(visitCost * (1 + size.values)) {
		return false
	}
	for _, t := range size.types {
		if !b.Validation(t.Schema, value) {
			return false
		}
	}
	switch value := value.(type) {
	case string:
		return b.Spend(matchCost * size.patterns * len(value))
	case []any:
		for _, item := range value {
			if !b.everywhere(size, item) {
				return false
			}
		}
	case map[string]any:
		for name, member := range value {
			if !b.Spend(matchCost*size.patterns*len(name)) || !b.everywhere(size, member) {
				return false
			}
		}
	}
	return true
}

func (b *Budget) measure(size *ruleSize, part any) {
	size.values++
	switch part := part.(type) {
	case *schema.Type:
		size.types = append(size.types, part)
	case []any:
		for _, item := range part {
			b.measure(size, item)
		}
	case jsonobj.Object:
		for _, m := range part {
			if pattern, ok := m.Value.(string); ok && m.Name == "pattern" {
				size.patterns += b.patternSize(pattern)
			}
			if m.Name == "patternProperties" {
				if members, ok := m.Value.(jsonobj.Object); ok {
					for _, p := range members {
						size.patterns += b.patternSize(p.Name)
					}
				}
			}
			b.measure(size, m.Value)
		}
	}
}
