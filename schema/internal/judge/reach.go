package judge

import (
	"encoding/json"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
)

// RuleReach counts the schemas in the rules of a schema, and returns the types that they refer to. Ten values of
// an enum or a const count as a schema: they cost as much to compile.
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
				look(m.Value)
			}
		case json.RawMessage:
			schemas += countConstants(v).values / valuesPerSchema
		}
	}
	for _, r := range s.Rules {
		look(r.Schema)
	}
	return schemas, types
}

const valuesPerSchema = 10
