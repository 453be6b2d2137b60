package jsonschema

import (
	"encoding/json"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// RuleText returns a rule as JSON, for people: a $ref is the name of its type.
func RuleText(r schema.Rule) []byte {
	w := Renderer{RefTo: func(t *schema.Type) string { return t.Name }}
	return w.rule(r.Schema).AppendCompact(nil)
}

// RuleType returns the types that the one rule of a value of raw JSON allows, in words: "string or integer". It reports
// false when they are not limited.
func RuleType(s *schema.Schema) (words string, ok bool) {
	if s.Kind != schema.Any || len(s.Rules) != 1 {
		return "", false
	}
	text, ok := s.Rules[0].Schema.Get("type").(json.RawMessage)
	if !ok {
		return "", false
	}
	var one string
	if json.Unmarshal(text, &one) == nil {
		return one, true
	}
	var several []string
	if json.Unmarshal(text, &several) != nil {
		return "", false
	}
	return strings.Join(several, " or "), true
}
