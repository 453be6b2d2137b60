package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"

	"github.com/babelqueue/bqgen/schema/jsonschema"
)

// Entries of an allOf that agree, contradict each other, refer to types, nest and are faulty.
var allOfEntries = []string{
	"{type: object}", "{type: [object, \"null\"]}", "{type: string}", "{type: [string, \"null\"]}", "{type: integer}",
	"{type: number}", "{type: array, items: {}}",
	"{minLength: 2}", "{minLength: 5, maxLength: 9}", "{maxLength: 3}", "{pattern: a}", "{pattern: b}", "{format: uuid}",
	"{format: email}", "{format: int32}",
	"{minimum: 1}", "{minimum: 1.50}", "{minimum: 1.5}", "{maximum: 1}", "{exclusiveMaximum: 9}", "{multipleOf: 4}",
	"{multipleOf: 0.6}", "{multipleOf: 6}",
	"{enum: [a, b]}", "{enum: [b, a, null]}", "{enum: [c, b]}", "{enum: [1, 2]}", "{enum: [2, 3]}", "{const: a}",
	"{const: b}", "{const: 2}",
	"{title: One}", "{title: Two, description: More}", "{description: Other}", "{deprecated: true}", "{default: a}",
	"{default: b}", "{default: 2}",
	"{x-gdpr-sensitive: true}", "{x-gdpr-sensitive: health}", "{x-gdpr-sensitive: contact}", "{x-go-type: a/b.C}",
	"{x-go-type: a/b.D}",
	"{properties: {a: {type: string}}}", "{properties: {a: {maxLength: 3}, b: {}}}", "{properties: {a: {type: integer}}}",
	"{properties: {b: {minimum: 1, type: integer}, c: {$ref: '#/types/Text'}}}",
	"{required: [a]}", "{required: [b, nowhere]}", "{additionalProperties: false}",
	"{properties: {a: {}}, additionalProperties: false}",
	"{additionalProperties: {type: string}}", "{additionalProperties: {maxLength: 7}}", "{additionalProperties: true}",
	"{minProperties: 1}", "{maxProperties: 0}",
	"{items: {type: string}}", "{items: {minLength: 1}}", "{minItems: 1}", "{maxItems: 0}", "{uniqueItems: true}",
	"{$ref: '#/types/Text'}", "{$ref: '#/types/Base'}", "{$ref: '#/types/Base', description: Based}",
	"{$ref: '#/types/Recursive'}", "{$ref: '#/types/Union'}", "{$ref: '#/types/Nothing'}", "{$ref: '#/types/Wrong'}",
	"{oneOf: [{type: string}, {type: \"null\"}]}", "{oneOf: [{$ref: '#/types/Base'}, {type: \"null\"}]}",
	"{oneOf: [{$ref: '#/types/One'}, {$ref: '#/types/Two'}]}",
	"{allOf: [{minLength: 1}, {type: string}]}", "{allOf: [{$ref: '#/types/Base'}, {required: [a]}]}", "{}", "true",
	"false", "{type: strin}", "{minLength: x}", "{typ: string}",
}

// Entries of one subject have more to agree about than any entries.
var allOfSubjects = []*regexp.Regexp{
	regexp.MustCompile(`.`),
	regexp.MustCompile(`string|Length|pattern|uuid|\[a|: a|title|description|Text|^\{\}`),
	regexp.MustCompile(`integer|number|imum|multiple|int32|\[1|: 2|deprecated|^true`),
	regexp.MustCompile(`object|propert|Propert|required|Base|Recursive|sensitive`),
	regexp.MustCompile(`tems|true`),
}

const allOfTypes = `
  Text: {type: string, minLength: 1}
  Base: {type: object, properties: {a: {type: string, description: The a.}, z: {type: integer}}, required: [z]}
  Recursive: {type: object, properties: {next: {$ref: '#/types/Recursive'}, a: {type: string}}}
  One: {type: object, required: [kind], properties: {kind: {const: one}}}
  Two: {type: object, required: [kind], properties: {kind: {const: two}}}
  Union: {oneOf: [{$ref: '#/types/One'}, {$ref: '#/types/Two'}]}
`

// The order of an allOf has no meaning: except for the order of fields and of findings, the result is the same.
func TestAllOfDoesNotDependOnItsOrder(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		about := rapid.SampledFrom(allOfSubjects).Draw(t, "about")
		fitting := slices.DeleteFunc(slices.Clone(allOfEntries), func(e string) bool { return !about.MatchString(e) })
		entries := rapid.SliceOfN(rapid.SampledFrom(fitting), 2, 4).Draw(t, "entries")
		own := rapid.SampledFrom([]string{"", "type: object, ", "type: string, ", "description: Own, ",
			"properties: {a: {title: T}}, "}).Draw(t, "own")
		permuted := rapid.Permutation(entries).Draw(t, "permuted")
		first, second := mergeOf(own, entries), mergeOf(own, permuted)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatalf("allOf %s\nand   %s (-first +second):\n%s", entries, permuted, diff)
		}
		if strings.HasPrefix(first, "{") {
			merged++
		}
	})
	if merged == 0 {
		t.Error("nothing could be merged: the test says nothing")
	}
}

// mergeOf returns the merged schema as text, or the findings, without what may depend on order: places, lines, and the
// order of members.
func mergeOf(own string, entries []string) string {
	types := allOfTypes
	if strings.Contains(strings.Join(entries, ""), "Wrong") {
		types += "  Wrong: {type: object, allOf: [{type: string}]}\n"
	}
	catalog := "bqgen: 1\npackage: shop\nqueues: {q: {}}\ntypes:" + types +
		"urns:\n  urn:a:\n    queue: q\n    data:\n      type: object\n      properties:\n        p: {" + own + "allOf: [" +
		strings.Join(entries, ", ") + "]}\n"
	c, findings := Parse("urns.yaml", []byte(catalog))
	if findings.HasErrors() {
		var lines []string
		for _, d := range findings {
			lines = append(lines, fmt.Sprintf("%s %s %s", d.Rule, onLine.ReplaceAllString(d.Message, "on line N"), d.Hint))
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	return string(sortMembers(c.URNs[0].Data.Properties[0].Schema))
}

var onLine = regexp.MustCompile(`on line [0-9]+`)

// sortMembers renders a schema with its properties sorted.
func sortMembers(s *schema.Schema) []byte {
	var sort func(*schema.Schema, map[*schema.Schema]bool)
	sort = func(s *schema.Schema, seen map[*schema.Schema]bool) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		slices.SortFunc(s.Properties, func(a, b *schema.Property) int { return strings.Compare(a.Name, b.Name) })
		for _, p := range s.Properties {
			sort(p.Schema, seen)
		}
		sort(s.Items, seen)
		sort(s.AdditionalSchema, seen)
		for _, b := range s.Branches {
			sort(b.Schema, seen)
		}
		if s.Target != nil {
			sort(s.Target.Schema, seen)
		}
	}
	sort(s, map[*schema.Schema]bool{})
	text := jsonschema.Render(s, jsonschema.Options{GoLimits: true})
	if s.GoType != nil {
		text = append(text, s.GoType.Import+s.GoType.Name...)
	}
	return text
}
