package asyncapi

import (
	"strings"
	"testing"

	judge "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// What no Go type expresses is exported with the same meaning, as far as draft 7 has it, and without a member $ref that
// is no reference to a type.
func TestRulesAreExported(t *testing.T) {
	const types = "types:\n  T: {not: {$ref: '#/types/U'}}\n  U: {anyOf: [{type: string}, {$ref: '#/types/V'}]}\n" +
		"  V: {type: integer}\n"
	values := decoded(t, `["a", "ab", "b", 1, 1.5, 7, true, null, [], [1], ["a"], ["a", 1], [1, "a"], ["a", 1, true],
		[1, 2, 3], {}, {"a": 1}, {"a": "x"}, {"a": 1, "b": 2}, {"b": 2}, {"xa": 1}, {"xa": "s"}, {"$ref": "x"}, {"$ref": "y"},
		{"$ref": 1}, {"$ref": "x", "a": 1}, {"a": {"$ref": "x"}}, {"a": [{"$ref": "x"}]}, [{"$ref": "x"}],
		[{"$ref": "x"}, 1], {"$ref": {"$ref": "x"}}, {"xa": 1, "$ref": "x"}]`).([]any)
	for _, member := range []string{
		"true", "false", "{type: [string, integer]}", "{not: {type: string}}", "{anyOf: [{type: string}, {const: 1}]}",
		"{oneOf: [{minLength: 2}, {type: string}]}", "{if: {type: string}, then: {minLength: 2}, else: true}",
		"{type: array, contains: {type: integer}}", "{type: array, contains: {type: integer}, minContains: 0}",
		"{type: array, prefixItems: [{type: string}, {type: integer}], items: false}",
		"{type: array, prefixItems: [true, {type: integer}]}",
		"{type: object, propertyNames: {pattern: a}}", "{type: object, dependentRequired: {a: [b]}}",
		"{type: object, dependentSchemas: {a: {required: [b]}, $ref: {required: [a]}}, dependentRequired: {a: [xa]}}",
		"{type: object, dependentRequired: {$ref: [a]}}",
		"{type: object, patternProperties: {^x: {type: integer}, '^\\$ref$': {const: x}, $ref: false}, " +
			"properties: {a: true, $ref: {type: string}}, additionalProperties: false}",
		"{not: {properties: {$ref: true, a: {type: integer}}, required: [a]}}",
		"{$ref: '#/types/T'}", "{not: {$ref: '#/types/T'}}", "{anyOf: [{$ref: '#/types/V'}, {$ref: '#/types/T'}]}",
		"{if: {$ref: '#/types/V', minimum: 2}, then: {not: {}}}",
		"{const: {$ref: x}}", "{enum: [{$ref: x}, 1, {a: [{$ref: x}]}]}", "{not: {enum: [[{$ref: x}]]}}",
		"{const: {$ref: {$ref: x}}}", "{enum: [a, [1], {a: 1}]}",
		"{not: {const: {$ref: x, a: 1}}, x-other: {$ref: x}, default: {$ref: x}, examples: [{$ref: x}, 1]}",
	} {
		text := "bqgen: 1\npackage: p\nqueues: {q: {}}\n" + types +
			"urns:\n  u:\n    queue: q\n    data: {type: object, properties: {v: " + member + "}}\n"
		c := parse(t, text)
		document := decoded(t, string(generate(t, c, "a.json"))).(map[string]any)
		refsAreLocal(t, member, document)
		schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
		draft7 := judge.NewCompiler()
		draft7.DefaultDraft(judge.Draft7)
		exported := compiled(t, draft7, map[string]any{
			"components": map[string]any{"schemas": schemas}, "allOf": []any{payloadOf(schemas)},
		})
		original := compiled(t, judge.NewCompiler(),
			decoded(t, string(jsonschema.Render(c.URNs[0].Data, jsonschema.Options{}))))
		for _, value := range values {
			payload := map[string]any{"v": value}
			if want, got := original.Validate(payload), exported.Validate(payload); (want == nil) != (got == nil) {
				t.Errorf("%s: %v is judged %v, exported %v", member, value, want, got)
			}
		}
	}
}

// payloadOf returns the schema of the payload: the one with the member v.
func payloadOf(schemas map[string]any) any {
	for _, s := range schemas {
		if members, ok := s.(map[string]any)["properties"].(map[string]any); ok && members["v"] != nil {
			return s
		}
	}
	return nil
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := judge.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func compiled(t *testing.T, c *judge.Compiler, document any) *judge.Schema {
	t.Helper()
	if err := c.AddResource("https://example.com/s.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("https://example.com/s.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// refsAreLocal reports members called $ref that a tool would follow elsewhere.
func refsAreLocal(t *testing.T, what string, value any) {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		if ref, there := value["$ref"]; there {
			if text, ok := ref.(string); !ok || !strings.HasPrefix(text, "#/") {
				t.Errorf("%s: a $ref to %v", what, ref)
			}
		}
		for _, member := range value {
			refsAreLocal(t, what, member)
		}
	case []any:
		for _, item := range value {
			refsAreLocal(t, what, item)
		}
	}
}
