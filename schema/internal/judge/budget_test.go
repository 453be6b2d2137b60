package judge

import (
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
)

// A rule costs its patterns for every character, and its types for every value inside the value.
func TestRulesCost(t *testing.T) {
	cheap := &schema.Schema{Kind: schema.Object}
	tree := &schema.Type{Name: "T", Schema: &schema.Schema{Kind: schema.Object}}
	pattern := jsonobj.Object{{Name: "pattern", Value: "^(a?){900}a{900}$"}}
	named := jsonobj.Object{{Name: "^(a?){900}a{900}$", Value: true}}
	with := func(rule jsonobj.Object) *schema.Schema {
		return &schema.Schema{Kind: schema.Object, Rules: []schema.Rule{{Schema: rule}}}
	}
	toTree := jsonobj.Object{{Name: "$ref", Value: tree}}
	tree.Schema.Rules = []schema.Rule{{Schema: jsonobj.Object{{Name: "not", Value: toTree}}}}
	value := map[string]any{"a": strings.Repeat("a", 2000)}
	const units = 1_000_000
	if !NewBudget(units).Validation(cheap, value) {
		t.Error("an object without rules costs too much")
	}
	if NewBudget(maxWork).Validation(tree.Schema, value) {
		t.Error("an endless rule costs little")
	}
	for name, s := range map[string]*schema.Schema{
		"pattern":           with(jsonobj.Object{{Name: "not", Value: pattern}}),
		"patternProperties": with(jsonobj.Object{{Name: "patternProperties", Value: named}}),
		"endless":           tree.Schema,
	} {
		v := value
		if name == "patternProperties" {
			v = map[string]any{strings.Repeat("a", 2000): 1}
		}
		if b := NewBudget(units); b.Validation(s, v) || !b.IsSpent() {
			t.Errorf("%s: %d units are left", name, b.left)
		}
	}
}
