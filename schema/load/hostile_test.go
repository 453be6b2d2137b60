package load

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
)

// Payload schemas that are made to take for ever, or all memory. Each has to be refused, or read, with a bounded number
// of allocations. Time is not checked: it depends on the machine, and the time limit of go test stops a hang.
func TestHostilePayloadsAreStopped(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine reads large catalogs")
	number := func(i int, text string) string {
		return strings.NewReplacer("@", strconv.Itoa(i), "&", strconv.Itoa(i+1)).Replace(text)
	}
	lines := func(count int, text string) string {
		var b strings.Builder
		for i := range count {
			b.WriteString(number(i, text) + "\n")
		}
		return b.String()
	}
	list := func(count int, text string) string {
		items := make([]string, count)
		for i := range items {
			items[i] = number(i, text)
		}
		return strings.Join(items, ", ")
	}
	tests := []struct {
		name, types, schema, example string
		rule                         string // "" for none
	}{
		{name: "allOf that doubles with every type",
			types: lines(60, "  T@: {type: object, properties: {x: {allOf: [{$ref: '#/types/T&'}, {maxProperties: 9}]}, y: "+
				"{allOf: [{$ref: '#/types/T&'}, {maxProperties: 8}]}}}") + "  T60: {type: object}",
			schema: "{allOf: [{$ref: '#/types/T0'}, {minProperties: 0}]}", rule: schema.RuleTooLarge},
		{name: "allOf of types that refer to each other in step",
			types: lines(40, "  A@: {type: object, properties: {x: {$ref: '#/types/A&'}, y: {$ref: '#/types/A&'}}}") +
				"  A40: {type: object}\n" +
				lines(40, "  B@: {type: object, properties: {x: {$ref: '#/types/B&'}, y: {$ref: '#/types/B&'}}}") +
				"  B40: {type: object}",
			schema: "{allOf: [{$ref: '#/types/A0'}, {$ref: '#/types/B0'}]}", rule: schema.RuleTooLarge},
		{name: "allOf of itself in many properties",
			types: "  A: {type: object, properties: {" + list(12, "p@: {allOf: [{$ref: '#/types/A'}, {maxProperties: &}]}") +
				"}}",
			schema: "{$ref: '#/types/A'}", rule: schema.RuleContradiction},
		{name: "a long chain of allOf",
			types:  lines(20000, "  T@: {allOf: [{$ref: '#/types/T&'}, {maxProperties: 9}]}") + "  T20000: {type: object}",
			schema: "{$ref: '#/types/T0'}", rule: schema.RuleTooLarge},
		{name: "a deep merge",
			types: lines(1000, "  T@: {type: object, properties: {x: {$ref: '#/types/T&'}}}") + "  T1000: {type: object}\n" +
				lines(1000, "  U@: {type: object, properties: {x: {$ref: '#/types/U&'}}}") + "  U1000: {type: object}",
			schema: "{allOf: [{$ref: '#/types/T0'}, {$ref: '#/types/U0'}]}", rule: schema.RuleTooDeep},
		{name: "many entries that close many properties",
			schema: "{type: object, allOf: [" + list(5000, "{properties: {p@: {}}, additionalProperties: {}}") + "]}",
			rule:   schema.RuleTooLarge},
		{name: "many entries of one allOf", schema: "{type: object, allOf: [" + list(50000, "{minProperties: 0}") + "]}"},
		{name: "many nullable entries of one allOf", schema: "{allOf: [" +
			list(20000, "{oneOf: [{type: string}, {type: \"null\"}]}") + "]}"},
		{name: "many branches", schema: "{oneOf: [" + list(5000,
			"{type: object, required: [k], properties: {k: {const: v@}}}") + "]}", example: "{p: {k: v4999}}"},
		{name: "many branches without a match", schema: "{oneOf: [" +
			list(5000, "{type: object, required: [k], properties: {k: {const: v@}}}") + "]}", example: "{p: {k: w}}",
			rule: schema.RuleExample},
		{name: "many branches of one type", types: "  T: {type: object, required: [" + list(3000, "p@") + "], properties: {" +
			list(3000, "p@: {const: c}") + "}}",
			schema: "{oneOf: [" + list(20000, "{$ref: '#/types/T'}") + "]}", rule: schema.RuleOneOf},
		{name: "unions of unions", types: lines(20000, "  U@: {oneOf: [{$ref: '#/types/U&'}, {$ref: '#/types/U&'}]}") +
			"  U20000: {type: object}", schema: "{}"},
		{name: "large patterns", schema: "{type: object, properties: {" +
			list(500, "p@: {type: string, pattern: '[a-z]{1000}[a-z]{1000}'}") + "}}", rule: schema.RulePattern},
		{name: "a nested pattern", schema: "{type: string, pattern: '" + strings.Repeat("(", 2000) +
			strings.Repeat(")", 2000) + "'}", rule: schema.RulePattern},
		{name: "a large class", schema: `{type: string, pattern: '(\pL{30}){30}'}`, example: "{p: x}",
			rule: schema.RuleExample},
		{name: "a pattern that backtracks elsewhere", schema: "{type: string, pattern: '^(a+)+$'}",
			example: "{p: " + strings.Repeat("a", 1<<16) + "b}", rule: schema.RuleExample},
		{name: "large numbers", schema: "{type: number, multipleOf: 1e-300}", example: "{p: 1e300}"},
		{name: "numbers of many digits", schema: "{type: object, properties: {" +
			list(2000, "p@: {type: integer, allOf: [{multipleOf: "+strings.Repeat("7", 300)+"}, {multipleOf: 1@}]}") + "}}"},
		{name: "a common multiple that grows", schema: "{type: integer, allOf: [" + list(2000, "{multipleOf: 9@7}") + "]}",
			rule: schema.RuleContradiction},
		{name: "a payload of many fields", schema: "{type: object, properties: {" + list(15000, "p@: {type: integer}") + "}}",
			example: "{p: {p1: 7}}"},
		{name: "a payload of too many fields", schema: "{type: object, properties: {" + list(30000, "p@: {type: integer}") +
			"}}", example: "{p: {p1: 7}}", rule: schema.RuleTooLarge},
		{name: "a large ring of types and an example", types: lines(30000,
			"  T@: {type: object, properties: {x: {$ref: '#/types/T&'}}}") + "  T30000: {$ref: '#/types/T0'}",
			schema: "{$ref: '#/types/T0'}", example: "{p: {}}", rule: schema.RuleTooLarge},
		{name: "unique items", schema: "{type: array, uniqueItems: true, items: {type: object}}",
			example: "{p: [" + list(3000, "{k: @}") + "]}"},
		{name: "many enum values", schema: "{allOf: [{enum: [" + list(30000, "v@") + "]}, {enum: [" + list(30000, "v&") +
			"]}]}"},
		{name: "an enum that many allOf share", types: "  T: {type: string, enum: [" + list(3000, "v@") + "]}",
			schema: "{type: object, properties: {" +
				list(1000, "p@: {allOf: [{$ref: '#/types/T'}, {minLength: 1}]}") + "}}", rule: schema.RuleTooLarge},
		{name: "a text that many allOf share", types: "  T: {type: string, description: " + strings.Repeat("word ", 20_000) +
			"}", schema: "{type: object, properties: {" +
			list(1000, "p@: {allOf: [{$ref: '#/types/T'}, {minLength: 1}]}") + "}}", rule: schema.RuleTooLarge},
		{name: "a text and an enum in properties of types that many allOf write out", types: "  T: {properties: {a: {type: " +
			"string, description: " + strings.Repeat("word ", 10_000) + "}}}\n  U: {properties: {b: {enum: [" +
			list(200, "v@") + "]}}}",
			schema: "{type: object, properties: {" +
				list(700, "p@: {allOf: [{$ref: '#/types/T'}, {$ref: '#/types/U'}]}") + "}}", rule: schema.RuleTooLarge},
		{name: "a oneOf that many allOf share", types: "  T: {oneOf: [" +
			list(500, "{type: object, required: [k], properties: {k: {const: c@}}}") + "]}",
			schema: "{type: object, properties: {" +
				list(200, "p@: {allOf: [{$ref: '#/types/T'}, {minProperties: 1}]}") + "}}", rule: schema.RuleTooLarge},
		{name: "a pattern of ranges that ignore case", schema: "{type: string, pattern: '(?i:" +
			list(20, `[\x{10@}-\x{1000@}]`) + ")'}", rule: schema.RulePattern},
		{name: "a pattern of large classes", schema: "{type: string, pattern: '" + strings.Repeat(`\pL\d`, 160) + "'}",
			rule: schema.RulePattern},
		{name: "nested defaults", schema: strings.Repeat("{type: object, default: {}, properties: {x: ", 60) +
			"{type: object, properties: {" + list(2000, "p@: {}") + "}}" + strings.Repeat("}}", 60)},
		{name: "many types", types: lines(100_000, "  T@: {type: string}"), schema: "{}"},
		{name: "deep schemas", schema: strings.Repeat("{type: array, items: ", 300) + "{}" + strings.Repeat("}", 300),
			rule: schema.RuleTooDeep},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "bqgen: 1\npackage: p\nqueues: {q: {}}\n"
			if tt.types != "" {
				src += "types:\n" + tt.types + "\n"
			}
			src += "urns:\n  urn:a:\n    queue: q\n    data: {type: object, properties: {p: " + tt.schema + "}}\n"
			if tt.example != "" {
				src += "    examples: [" + tt.example + "]\n"
			}
			var c *schema.Catalog
			var findings schema.Diagnostics
			checkAllocations(t, len(src), func() { c, findings = Parse("urns.yaml", []byte(src)) })
			if tt.rule == "" && c == nil || tt.rule != "" && !hasRule(findings, tt.rule) {
				t.Errorf("findings %.2000s, want rule %q", textOf(t, findings), tt.rule)
			}
		})
	}
}

// checkAllocations reports when f allocates too much while it reads so many bytes.
func checkAllocations(t *testing.T, size int, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	bytes, objects := after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs
	t.Logf("%d kB: allocated %d MiB in %d objects", size>>10, bytes>>20, objects)
	if bytes > 1<<30 || objects > 15_000_000 {
		t.Errorf("allocated %d MiB in %d objects", bytes>>20, objects)
	}
}

func hasRule(findings schema.Diagnostics, rule string) bool {
	for _, d := range findings {
		if d.Rule == rule {
			return true
		}
	}
	return false
}
