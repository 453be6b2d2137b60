package judge

import (
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
)

// RuleReach counts the schemas in the rules of a schema, and returns the types that they refer to. Many values of an
// enum count as a schema: they cost as much to compile.
func RuleReach(s *schema.Schema) (schemas int, types []*schema.Type) {
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case bool:
			schemas++
		case *schema.Type:
			types = append(types, v)
		case []any:
			for _, item := range v {
				look(item)
			}
		case jsonobj.Object:
			schemas++
			for _, m := range v {
				switch m.Name {
				case "enum", "const":
					if list, ok := m.Value.([]any); ok {
						schemas += len(list) / valuesPerSchema
					}
				default:
					look(m.Value)
				}
			}
		}
	}
	for _, r := range s.Rules {
		look(r.Schema)
	}
	return schemas, types
}

const valuesPerSchema = 10
