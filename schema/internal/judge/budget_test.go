package judge_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/judge"
	"github.com/babelqueue/bqgen/schema/load"
)

// memberSchema loads a catalog, and returns the schema of the member of its only message: tests see rules as the loader
// makes them.
func memberSchema(t *testing.T, types, member string) *schema.Schema {
	t.Helper()
	text := "bqgen: 1\npackage: p\nqueues: {q: {}}\n" + types +
		"urns:\n  u: {queue: q, data: {type: object, properties: {m: " + member + "}}}\n"
	c, findings := load.Parse("urns.yaml", []byte(text))
	if c == nil {
		t.Fatalf("%s\n%s", findings[0], text)
	}
	return c.URNs[0].Data.Properties[0].Schema
}

// A rule costs its patterns for every character, its constants for every value, and its types for every value inside
// the value. Numbers cost what reading them takes: the validator reads both of two that it compares.
func TestRulesCost(t *testing.T) {
	const pattern = "'^(a?){900}a{900}$'"
	long := map[string]any{"a": strings.Repeat("a", 2000)}
	words, numbers, longNumbers := numbered("v"), numbered("1"), numbered("0."+strings.Repeat("1", 300))
	longNumber := json.Number("0." + strings.Repeat("1", 300))
	var powers strings.Builder
	for i := range 300 {
		fmt.Fprintf(&powers, "1.5e%d, ", i)
	}
	twenty := make([]any, 20)
	for i := range twenty {
		twenty[i] = json.Number(strconv.Itoa(i))
	}
	for name, test := range map[string]struct {
		types, member string
		value         any
		units         int // at least
	}{
		"pattern":           {"", "{type: object, not: {properties: {a: {pattern: " + pattern + "}}}}", long, 1_000_000},
		"patternProperties": {"", "{type: object, patternProperties: {" + pattern + ": {not: {}}}}", named(2000), 1_000_000},
		"propertyNames":     {"", "{type: object, propertyNames: {pattern: " + pattern + "}}", named(2000), 1_000_000},
		"enum":              {"", "{not: {enum: [" + words + "]}}", "v", 5_000},
		"enum of numbers":   {"", "{not: {enum: [" + numbers + "]}}", json.Number("1"), 5_000 * 2 * 130},
		"enum of long numbers": {"", "{not: {enum: [" + longNumbers + "]}}", json.Number("1"),
			5_000 * 1000},
		"enum of powers of ten": {"", "{not: {enum: [" + powers.String() + "]}}", json.Number("1"), 300 * 3 * 130},
		"types of a number": {"", "{anyOf: [" + strings.Repeat("{type: integer}, ", 1000) + "{}]}",
			longNumber, 1000 * 1000},
		"enum of an integer":  {"", "{type: integer, enum: [" + numbers + "]}", json.Number("1"), 5_000 * 2 * 130},
		"const of an integer": {"", "{type: integer, const: " + strings.Repeat("1", 18) + "}", json.Number("1"), 2 * 130},
		"unique items":        {"", "{type: array, items: {type: number}, uniqueItems: true}", twenty, 20 * 3 * 130},
		"enum of lists":       {"", "{not: {enum: [[" + words + "]]}}", []any{"v"}, 5_000},
		"enum of long texts": {"", "{not: {enum: [[" + strings.Repeat(strings.Repeat("x", 100)+", ", 500) + "]]}}",
			[]any{"v"}, 1_000},
		"enum at each value": {"", "{not: {contains: {enum: [" + words + "]}}}", list(100), 100 * 5_000},
		"const":              {"", "{not: {const: {a: [" + words + "]}}}", "v", 5_000},
		"dependentRequired":  {"", "{type: object, dependentRequired: {a: [" + words + "]}}", long, 5_000},
		"endless": {"types:\n  T: {not: {$ref: '#/types/T'}}\n", "{$ref: '#/types/T'}", long,
			400_000_000},
	} {
		s := memberSchema(t, test.types, test.member)
		if b := judge.NewBudget(test.units); b.Validation(s, test.value) || !b.IsSpent() {
			t.Errorf("%s costs less than %d units", name, test.units)
		}
	}
	cheap := memberSchema(t, "", "{type: object, not: {required: [b]}}")
	if !judge.NewBudget(1000).Validation(cheap, long) {
		t.Error("an object with a small rule costs too much")
	}
}

func numbered(word string) string {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "%s%d, ", word, i)
	}
	return b.String()
}

func named(length int) any { return map[string]any{strings.Repeat("a", length): true} }

func list(length int) any {
	items := make([]any, length)
	for i := range items {
		items[i] = "v"
	}
	return items
}
