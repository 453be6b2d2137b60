package golang

import (
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

func TestLimitsAreSaidInWords(t *testing.T) {
	for text, want := range map[string]string{
		`{type: string}`:                                         "",
		`{type: string, minLength: 0}`:                           "",
		`{type: string, minLength: 1, maxLength: 500}`:           "1 to 500 characters",
		`{type: string, minLength: 3, maxLength: 3}`:             "Exactly 3 characters",
		`{type: string, maxLength: 1, pattern: "^[A-Z]$"}`:       "At most 1 character; matches ^[A-Z]$",
		`{type: string, pattern: "^a\u2028//go:build x"}`:        `Matches "^a\u2028//go:build x"`,
		`{type: string, format: date}`:                           "RFC 3339 date",
		`{type: string, format: byte, maxLength: 8}`:             "At most 8 base64 characters",
		`{type: string, format: date-time}`:                      "",
		`{type: string, enum: [a, b]}`:                           "",
		`{const: 7}`:                                             "Always 7",
		`{type: integer, minimum: 1, maximum: 10}`:               "1 to 10",
		`{type: number, exclusiveMinimum: 0, multipleOf: 0.001}`: "Greater than 0; a multiple of 0.001",
		`{type: number, maximum: 0.5, exclusiveMinimum: -1}`:     "At most 0.5; greater than -1",
		`{type: array, items: {type: string, maxLength: 3}, minItems: 1, uniqueItems: true}`: "At least 1 item; no " +
			"duplicates; each item: at most 3 characters",
		`{type: object, additionalProperties: {type: integer, maximum: 9}, maxProperties: 2}`: "At most 2 members; each " +
			"value: at most 9",
		`{type: array, items: {type: object, properties: {a: {type: integer, minimum: 1}}}}`: "",
		`{$ref: '#/types/Code'}`: "",
	} {
		c, findings := load.Parse("urns.yaml", []byte(`
bqgen: 1
package: shop
queues: {q: {}}
types: {Code: {type: string, maxLength: 3}}
urns: {urn:a:b: {queue: q, data: {type: object, properties: {member: `+text+`}}}}
`))
		if findings.HasErrors() {
			t.Errorf("%s: %v", text, findings)
			continue
		}
		got := strings.Join(sentences(limits(c.URNs[0].Data.Properties[0].Schema)), " ")
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestALimitThatIsLongIsShortened(t *testing.T) {
	s := &schema.Schema{Kind: schema.String, Pattern: strings.Repeat("x", 5000)}
	if got := limits(s); len(got) != 1 || len(got[0]) > 200 || !strings.HasSuffix(got[0], "…") {
		t.Errorf("got %q", got)
	}
}
