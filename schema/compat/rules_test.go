package compat

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// ruleCases has a change for each rule, as two schemas of a property p or, where that is not enough, two catalogs. The
// third text is the direction.
var ruleCases = map[string][3]string{
	"type-changed":          {"type: string", "type: integer", BreaksBoth},
	"type-widened":          {"type: integer", "type: number", BreaksConsumers},
	"type-narrowed":         {"{}", "type: object", BreaksProducers},
	"null-allowed":          {"type: string", `type: [string, "null"]`, BreaksConsumers},
	"null-refused":          {`type: [string, "null"]`, "type: string", BreaksProducers},
	"const-changed":         {"{type: string, const: a}", "{type: string, const: b}", BreaksBoth},
	"enum-value-added":      {"{type: string, enum: [a]}", "{type: string, enum: [a, b]}", BreaksConsumers},
	"enum-value-removed":    {"{type: integer, enum: [1, 2]}", "{type: integer, enum: [2]}", BreaksProducers},
	"enum-introduced":       {"type: string", "{type: string, enum: [a]}", BreaksProducers},
	"enum-lifted":           {"{type: string, enum: [a]}", "type: string", BreaksConsumers},
	"format-changed":        {"{type: string, format: uuid}", "{type: string, format: date-time}", BreaksBoth},
	"format-added":          {"type: string", "{type: string, format: email}", BreaksProducers},
	"format-removed":        {"{type: string, format: decimal}", "type: string", BreaksConsumers},
	"number-format-changed": {"{type: integer, format: int32}", "type: integer", BreaksConsumers},
	"pattern-changed":       {"{type: string, pattern: ^a}", "{type: string, pattern: ^b}", BreaksBoth},
	"pattern-added":         {"type: string", "{type: string, pattern: '^[A-Z]{2}$'}", BreaksProducers},
	"pattern-removed":       {"{type: string, pattern: '^[A-Z]{2}$'}", "type: string", BreaksConsumers},
	"min-length-raised":     {"type: string", "{type: string, minLength: 1}", BreaksProducers},
	"min-length-lowered":    {"{type: string, minLength: 3}", "{type: string, minLength: 1}", BreaksConsumers},
	"max-length-raised":     {"{type: string, maxLength: 3}", "{type: string, maxLength: 4}", BreaksConsumers},
	"max-length-lowered":    {"{type: string, maxLength: 4}", "{type: string, maxLength: 3}", BreaksProducers},
	"minimum-raised":        {"type: integer", "{type: integer, minimum: 0}", BreaksProducers},
	"minimum-lowered":       {"{type: number, minimum: 0}", "{type: number, exclusiveMinimum: -0.5}", BreaksConsumers},
	"maximum-raised":        {"{type: number, exclusiveMaximum: 1}", "{type: number, maximum: 1}", BreaksConsumers},
	"maximum-lowered":       {"type: number", "{type: number, maximum: 1}", BreaksProducers},
	"multiple-of-changed":   {"{type: integer, multipleOf: 2}", "{type: integer, multipleOf: 4}", BreaksProducers},
	"min-items-raised": {
		"{type: array, items: {type: string}}",
		"{type: array, items: {type: string}, minItems: 1}",
		BreaksProducers,
	},
	"min-items-lowered": {
		"{type: array, items: {type: string}, minItems: 2}",
		"{type: array, items: {type: string}, minItems: 1}",
		BreaksConsumers,
	},
	"max-items-raised": {
		"{type: array, items: {type: string}, maxItems: 2}",
		"{type: array, items: {type: string}, maxItems: 3}",
		BreaksConsumers,
	},
	"max-items-lowered": {
		"{type: array, items: {type: string}}",
		"{type: array, items: {type: string}, maxItems: 3}",
		BreaksProducers,
	},
	"rules-changed": {"{type: string}", "{type: string, not: {enum: [a, any]}}", BreaksProducers},
	"unique-items-added": {
		"{type: array, items: {type: string}}",
		"{type: array, items: {type: string}, uniqueItems: true}",
		BreaksProducers,
	},
	"unique-items-removed": {
		"{type: array, items: {type: string}, uniqueItems: true}",
		"{type: array, items: {type: string}}",
		BreaksConsumers,
	},
	"property-added": {"{type: object, properties: {}}", "{type: object, properties: {a: {type: string}}}", IsSafe},
	"required-property-added": {
		"type: object",
		"{type: object, required: [a], properties: {a: {type: string}}}",
		BreaksProducers,
	},
	"property-removed": {
		"{type: object, properties: {a: {type: string}}}", "{type: object, properties: {}}", BreaksSource,
	},
	"required-property-removed": {
		"{type: object, required: [a], properties: {a: {type: string}}}",
		"type: object",
		BreaksConsumers,
	},
	"required-added": {
		"{type: object, properties: {a: {type: string}}}",
		"{type: object, required: [a], properties: {a: {type: string}}}",
		BreaksProducers,
	},
	"required-removed": {
		"{type: object, required: [a], properties: {a: {type: string}}}",
		"{type: object, properties: {a: {type: string}}}",
		BreaksConsumers,
	},
	"additional-forbidden": {"type: object", "{type: object, additionalProperties: false}", BreaksProducers},
	"additional-allowed":   {"{type: object, additionalProperties: false}", "type: object", BreaksConsumers},
	"additional-kept": {
		"{type: object, properties: {}}", "{type: object, properties: {}, additionalProperties: true}", BreaksSource,
	},
	"additional-changed": {
		"{type: object, additionalProperties: true}",
		"{type: object, additionalProperties: {type: string}}",
		BreaksProducers,
	},
	"min-properties-raised": {
		"{type: object, additionalProperties: true}",
		"{type: object, additionalProperties: true, minProperties: 1}",
		BreaksProducers,
	},
	"min-properties-lowered": {
		"{type: object, additionalProperties: true, minProperties: 1}",
		"{type: object, additionalProperties: true}",
		BreaksConsumers,
	},
	"max-properties-raised": {
		"{type: object, additionalProperties: true, maxProperties: 1}",
		"{type: object, additionalProperties: true}",
		BreaksConsumers,
	},
	"max-properties-lowered": {
		"{type: object, additionalProperties: true}",
		"{type: object, additionalProperties: true, maxProperties: 1}",
		BreaksProducers,
	},
	"discriminator-changed": {union("kind", "a", "b"), union("sort", "a", "b"), BreaksBoth},
	"branch-added":          {union("kind", "a", "b"), union("kind", "a", "b", "c"), BreaksConsumers},
	"branch-removed":        {union("kind", "a", "b", "c"), union("kind", "a", "b"), BreaksProducers},
	"unknown-branch-kept": {
		union("kind", "a", "b"),
		strings.Replace(union("kind", "a", "b"), "{", "{x-unknown-branch: keep, ", 1),
		BreaksSource,
	},
	"unknown-branch-refused": {
		strings.Replace(union("kind", "a", "b"), "{", "{x-unknown-branch: keep, ", 1),
		union("kind", "a", "b"),
		BreaksProducers,
	},
	"go-type-changed":     {"type: string", "{type: string, x-go-type: example.com/x.Y}", BreaksSource},
	"type-name-changed":   {"{type: object, properties: {x: {type: string}}}", "$ref: '#/types/X'", BreaksSource},
	"deprecation-changed": {"type: string", "{type: string, deprecated: true}", IsSafe},
	"text-changed":        {"type: string", "{type: string, description: D}", IsSafe},
	"sensitivity-changed": {"type: string", "{type: string, x-gdpr-sensitive: contact}", IsSafe},
	"default-changed":     {"{type: string, default: a}", "{type: string, default: b}", IsSafe},

	"urn-added": {
		catalog("", "u: {queue: q, data: {type: object}}"),
		catalog("", "u: {queue: q, data: {type: object}}\n  v: {queue: q, data: {type: object}}"),
		BreaksSource,
	},
	"urn-removed": {
		catalog("", "u: {queue: q, data: {type: object}}\n  v: {queue: q, data: {type: object}}"),
		catalog("", "u: {queue: q, data: {type: object}}"),
		BreaksProducers,
	},
	"urn-renamed": {
		catalog("", "u: {queue: q, name: U, data: {type: object}}"),
		catalog("", "v: {queue: q, name: U, data: {type: object}}"),
		BreaksBoth,
	},
	"urn-moved": {
		catalog("", "u: {queue: q, data: {type: object}}"),
		catalog("", "u: {queue: r, data: {type: object}}"),
		BreaksBoth,
	},
	"topic-changed": {
		catalog("", "u: {queue: q, data: {type: object}}"),
		catalog("topic: t", "u: {queue: q, data: {type: object}}"),
		BreaksBoth,
	},
	"queue-renamed": {
		catalog("", "u: {queue: q, data: {type: object}}"),
		strings.ReplaceAll(catalog("topic: q", "u: {queue: q, data: {type: object}}"), "queue: q,", "queue: p,") + "#p",
		BreaksSource,
	},
	"key-added":            {keyed(""), keyed("key: /a, "), IsSafe},
	"key-removed":          {keyed("key: /a, "), keyed(""), BreaksConsumers},
	"key-changed":          {keyed("key: /a, "), keyed("key: /b, "), BreaksConsumers},
	"max-attempts-changed": {catalog("", keyedURN), catalog("max_attempts: 9", keyedURN), IsSafe},
	"dead-letter-removed":  {catalog("", keyedURN), catalog("dead_letter: false", keyedURN), BreaksConsumers},
	"dead-letter-moved":    {catalog("", keyedURN), catalog("dead_letter: elsewhere", keyedURN), BreaksConsumers},
	"dead-letter-added":    {catalog("dead_letter: false", keyedURN), catalog("", keyedURN), IsSafe},
	"package-changed": {
		catalog("", keyedURN),
		strings.Replace(catalog("", keyedURN), "package: p", "package: other", 1),
		BreaksSource,
	},
	"services-changed": {
		catalog("", keyedURN),
		catalog("", strings.Replace(keyedURN, "{queue", "{publishers: [a], queue", 1)),
		IsSafe,
	},
	"services-introduced": {served("", "a"), served("services: [a, b]", "a", "b"), BreaksConsumers},
	"services-dropped":    {served("services: [a]", "a"), served("", "a"), BreaksConsumers},
	"service-added":       {served("services: [a]", "a"), served("services: [a, b]", "a", "b"), IsSafe},
	"service-removed":     {served("services: [a, b]", "a", "b"), served("services: [a]", "a"), BreaksConsumers},
	"service-renamed":     {served("services: [a]", "a"), served("services: [b]", "b"), BreaksConsumers},
	"service-receives-more": {
		served("services: [a]", "a") + "  v: {queue: q, data: {type: object}}\n",
		served("services: [a]", "a") + "  v: {queue: q, consumers: [a], data: {type: object}}\n",
		BreaksConsumers,
	},
	"service-receives-less": {
		served("services: [a]", "a") + "  v: {queue: q, consumers: [a], data: {type: object}}\n",
		served("services: [a]", "a") + "  v: {queue: q, data: {type: object}}\n",
		IsSafe,
	},
	"service-urn-added": {
		served("services: [a]", "a"),
		served("services: [a]", "a") + "  v: {queue: q, data: {type: object}}\n",
		BreaksConsumers,
	},
	"go-name-changed": {
		catalog("", keyedURN),
		catalog("", strings.Replace(keyedURN, "{queue", "{name: Renamed, queue", 1)),
		BreaksSource,
	},
}

const keyedURN = "u: {queue: q, data: {type: object, properties: {a: {type: string}, b: {type: string}}}}"

// served is a catalog with a queue of these settings and a URN of these consumers.
func served(queue string, consumers ...string) string {
	return catalog(queue, strings.Replace(keyedURN, "{queue", "{consumers: ["+strings.Join(consumers, ", ")+"], queue", 1))
}

func keyed(key string) string {
	return catalog("", strings.Replace(keyedURN, "queue: q, ", "queue: q, "+key, 1))
}

func union(discriminator string, values ...string) string {
	var branches []string
	for _, v := range values {
		const form = "{type: object, required: [%s], properties: {%[1]s: {type: string, const: %s}}}"
		branches = append(branches, fmt.Sprintf(form, discriminator, v))
	}
	return "{oneOf: [" + strings.Join(branches, ", ") + "]}"
}

func catalog(queue, urns string) string {
	return "bqgen: 1\npackage: p\nqueues:\n  q: {" + queue + "}\n  r: {topic: other-topic}\nurns:\n  " + urns + "\n"
}

func ofProperty(text string) string {
	if !strings.HasPrefix(text, "{") {
		text = "{" + text + "}"
	}
	return "bqgen: 1\npackage: p\nqueues: {q: {}}\ntypes:\n  X: {type: object, properties: {x: {type: string}}}\n" +
		"urns:\n  u: {queue: q, data: {type: object, properties: {p: " + text + "}}}\n"
}

func parseCase(t *testing.T, text string) *schema.Catalog {
	t.Helper()
	switch {
	case strings.HasSuffix(text, "#p"):
		text = strings.Replace(text, "  q: {", "  p: {", 1)
	case !strings.HasPrefix(text, "bqgen"):
		text = ofProperty(text)
	}
	c, findings := load.Parse("urns.yaml", []byte(text))
	if c == nil {
		t.Fatalf("%v\n%s", findings, text)
	}
	return c
}

func namesOf(c *schema.Catalog) GoNames {
	names := GoNames{}
	for _, u := range c.URNs {
		names[u] = u.URN
		if u.GoName != "" {
			names[u] = u.GoName
		}
	}
	return names
}

// For each rule there is a change, which breaks whom the table says and comes with a document where it breaks
// somebody. A catalog compared with itself has no changes.
func TestEveryRuleIsMet(t *testing.T) {
	for _, r := range Rules() {
		if r.ID == notCompared {
			continue // TestTypesThatMeetInTooManyPairsAreABreak
		}
		t.Run(r.ID, func(t *testing.T) {
			texts, there := ruleCases[r.ID]
			if !there {
				t.Fatal("no case")
			}
			old, new := parseCase(t, texts[0]), parseCase(t, texts[1])
			var met *Change
			var all []string
			for _, c := range Compare(old, new, Options{OldNames: namesOf(old), NewNames: namesOf(new)}) {
				if all = append(all, c.Rule); c.Rule == r.ID {
					met = c
				}
			}
			if met == nil {
				t.Fatalf("met %v", all)
			}
			if met.Direction() != texts[2] {
				t.Errorf("it %s, want: %s", met.Direction(), texts[2])
			}
			depends := r.Effect == effectDepends
			if !depends && !strings.Contains(r.Effect, texts[2]) {
				t.Errorf("the table says: %s", r.Effect)
			}
			for _, b := range []*Break{met.Consumers, met.Producers} {
				if b != nil && b.Document == nil {
					t.Error("no document")
				}
			}
			if met.Safe() != (met.Hint == "") {
				t.Errorf("hint %q", met.Hint)
			}
			if same := Compare(old, old, Options{}); len(same) > 0 {
				t.Errorf("compared with itself: %v", same[0].Diagnostic)
			}
		})
	}
	if len(ruleCases) != len(Rules())-1 {
		t.Errorf("%d cases for %d rules", len(ruleCases), len(Rules()))
	}
}

// The table in the documentation is this one.
func TestThePublishedTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/review.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range Rules() {
		instead := r.Instead
		if instead == "" {
			instead = "-"
		}
		want = append(want, fmt.Sprintf("| `%s` | %s | %s | %s | %s |", r.ID, r.Keyword, r.Effect, r.Purpose, instead))
	}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "| `") && strings.Count(line, "|") == 6 {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/review.md (-want +got):\n%s\nthe table:\n%s", diff, strings.Join(want, "\n"))
	}
}
