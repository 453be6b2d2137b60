package load_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// Validating these values would take minutes, and that of nested unions for ever.
func TestCostlyValuesAreAFinding(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	const head = "bqgen: 1\npackage: p\nqueues: {q: {}}\n"
	message := func(data string, examples ...string) string {
		return "urns:\n  u:\n    queue: q\n    data: " + data + "\n    examples:\n" + strings.Join(examples, "")
	}
	object := func(members string) string { return "{type: object, properties: {" + members + "}}" }
	costly := "e: {type: string, pattern: '^(a?){900}a{900}$'}"
	var branches []string
	for i := range 10 {
		branches = append(branches,
			fmt.Sprintf("{type: object, required: [op], properties: {op: {const: o%d}, a: {$ref: '#/types/E'}}}", i))
	}
	example := "{op: o1}"
	for range 60 {
		example = "{op: o1, a: " + example + "}"
	}
	for name, text := range map[string]string{
		"long text": message(object(costly), "      - {e: "+strings.Repeat("a", 200_000)+"}\n"),
		"nested unions": "types:\n  E: {oneOf: [" + strings.Join(branches, ", ") + "]}\n" +
			message(object("e: {$ref: '#/types/E'}"), "      - {e: "+example+"}\n"),
		"defaults": "types:\n  T: {type: string, pattern: '^(a?){900}a{900}$', default: " +
			strings.Repeat("a", 200_000) + "}\nurns: {}\n",
	} {
		t.Run(name, func(t *testing.T) {
			c, findings := load.Parse("urns.yaml", []byte(head+text))
			met := 0
			for _, f := range findings {
				if f.Rule == schema.RuleTooLarge && strings.Contains(f.Message, "cost too much to check") && f.Hint != "" {
					met++
				}
			}
			if c != nil || met != 1 {
				t.Errorf("%d such findings of %d", met, len(findings))
			}
		})
	}
}

// Ordinary examples are far from the limit.
func TestOrdinaryValuesAreChecked(t *testing.T) {
	text := "bqgen: 1\npackage: p\nqueues: {q: {}}\nurns:\n  u:\n    queue: q\n    data: {type: object, properties: " +
		"{id: {type: string, pattern: '^[A-Z]{3}-[0-9]{1,12}$'}, kind: {enum: [a, b, c]}}}\n    examples:\n" +
		strings.Repeat("      - {id: ORD-123456789012, kind: c}\n", 5_000)
	if c, findings := load.Parse("urns.yaml", []byte(text)); c == nil {
		t.Error(findings[0])
	}
}

// One finding used to name all of them.
func TestAFindingIsShort(t *testing.T) {
	testenv.SkipUnderRace(t, "one goroutine goes through many catalogs")
	var members strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&members, "p%d: 1, ", i)
	}
	_, findings := load.Parse("urns.yaml", []byte("bqgen: 1\npackage: p\nqueues: {q: {}}\nurns:\n  u:\n    queue: q\n"+
		"    data: {type: object, properties: {}, additionalProperties: false}\n    examples: [{"+members.String()+"}]\n"))
	if len(findings) != 1 || findings[0].Rule != schema.RuleExample || len(findings[0].Message) > 1200 {
		t.Errorf("%d findings, the first of %d characters", len(findings), len(findings[0].Message))
	}
}
