package lint

import (
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

func parse(t *testing.T, text string) *schema.Catalog {
	t.Helper()
	c, findings := load.Parse("urns.yaml", []byte(text))
	if c == nil {
		t.Fatal(findings)
	}
	return c
}

func found(ds schema.Diagnostics) []string {
	var lines []string
	for _, d := range ds {
		lines = append(lines, fmt.Sprintf("%d %s", d.Pos.Line, d.Rule))
	}
	return lines
}

func TestTheExampleCatalogHasNoFault(t *testing.T) {
	c, findings, err := load.Load("../../examples/urns.yaml")
	if err != nil || c == nil {
		t.Fatal(findings, err)
	}
	for _, f := range Check(c, Options{}) {
		t.Errorf("%v: %s (%s)", f.Pos, f.Message, f.Rule)
	}
}

const ignores = `bqgen: 1
package: p
info: {owner: o}
lint: {missing-example: off%s}
queues: {q: {}}
urns:
  urn:babel:a:b: {queue: q, data: {type: object}} # bqgen:ignore missing-summary it says it all
  # bqgen:ignore missing-summary
  urn:babel:a:c: {queue: q, data: {type: object}}
  urn:babel:a:d: {queue: q, summary: s, data: {type: object}} # bqgen:ignore missing-summary no longer needed
  urn:babel:a:e: {queue: q, summary: s, data: {type: object}} # bqgen:ignore missing-example the rule is off
  # bqgen:ignore missing-sumary it is misspelt
  # bqgen:ignore missing-summary once
  # bqgen:ignore missing-summary and again
  urn:babel:a:f: {queue: q, data: {type: object}} # bqgen:ignore
# bqgen:ignore urn-form nothing follows
`

func TestIgnoreCommentsAreChecked(t *testing.T) {
	want := []string{
		"8 ignore-reason", "10 unneeded-ignore", "11 unneeded-ignore", "12 unknown-rule", "14 unneeded-ignore",
		"15 unknown-rule", "16 unneeded-ignore",
	}
	if diff := cmp.Diff(want, found(Check(parse(t, fmt.Sprintf(ignores, "")), Options{}))); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	off := ", unneeded-ignore: off, ignore-reason: off, unknown-rule: off"
	if got := found(Check(parse(t, fmt.Sprintf(ignores, off)), Options{})); got != nil {
		t.Errorf("with the rules off: %v", got)
	}
}

func TestIgnoreCommentsExpire(t *testing.T) {
	c := parse(t, `bqgen: 1
package: p
info: {owner: o}
lint: {missing-example: off}
queues: {q: {}}
urns:
  urn:babel:a:b: {queue: q, data: {type: object}} # bqgen:ignore missing-summary until=2026-12-31 it comes later
  urn:babel:a:c: {queue: q, data: {type: object}} # bqgen:ignore missing-summary until=soon it comes later
  urn:babel:a:d: {queue: q, data: {type: object}} # bqgen:ignore missing-summary of=x it has no name
  urn:babel:a:e: {queue: q, summary: s, data: {type: object}} # bqgen:ignore enum-value-added another command's
`)
	o := Options{Elsewhere: []string{"enum-value-added"}, Today: time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC)}
	want := []string{"8 missing-summary", "8 ignore-form", "9 missing-summary", "9 unneeded-ignore"}
	if diff := cmp.Diff(want, found(Check(c, o))); diff != "" {
		t.Errorf("on the last day (-want +got):\n%s", diff)
	}
	o.Today = o.Today.Add(2 * time.Hour)
	want = append([]string{"7 missing-summary", "7 ignore-expired"}, want...)
	if diff := cmp.Diff(want, found(Check(c, o))); diff != "" {
		t.Errorf("on the day after (-want +got):\n%s", diff)
	}
}

func TestNamesAreSplitIntoWords(t *testing.T) {
	for name, want := range map[string][]string{
		"order_id": {"order", "id"}, "orderID": {"order", "id"}, "HTTPServer": {"http", "server"}, "e-mail": {"e", "mail"},
		"line2Text": {"line2", "text"}, "": nil, "émile_Zola": {"émile", "zola"},
	} {
		if diff := cmp.Diff(want, words(name)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", name, diff)
		}
	}
	for name, want := range map[string]string{
		"order": "", "order_id": "snake_case", "orderId": "camelCase", "OrderId": "PascalCase", "order-id": "kebab-case",
		"ORDER_ID": "UPPER_CASE", "Order_Id": "Mixed_case", "@id": "", "日本": "",
	} {
		if got := styleOf(name); got != want {
			t.Errorf("%q is in %q, want %q", name, got, want)
		}
	}
}

// What other files declare is looked at where it stands, and silenced there.
func TestOtherFilesAreLinted(t *testing.T) {
	fsys := fstest.MapFS{
		"events/urns.yaml": {Data: []byte("bqgen: 1\npackage: p\ninfo: {owner: o}\nqueues: {q: {}}\nurns:\n" +
			"  urn:babel:a:b: {queue: q, summary: s, data: {$ref: 'common.yaml#/types/Person'}, examples: [{}]}\n")},
		"events/common.yaml": {Data: []byte("types:\n  Person:\n    type: object\n    properties:\n" +
			"      email: {type: string}\n" +
			"      phone: {type: string} # bqgen:ignore personal-data The switchboard's.\n  Unused: {type: string}\n")},
	}
	c, findings, err := load.LoadFS(fsys, "events/urns.yaml")
	if err != nil || c == nil {
		t.Fatal(findings, err)
	}
	got := Check(c, Options{})
	where := schema.Pos{File: "events/common.yaml", Line: 5, Column: 7}
	if len(got) != 1 || got[0].Rule != "personal-data" || got[0].Pos != where {
		t.Errorf("%v", got)
	}
}

func TestTypesThatContainThemselvesAreLinted(t *testing.T) {
	c := parse(t, `bqgen: 1
package: p
info: {owner: o}
queues: {q: {}}
types:
  Lists: {type: array, items: {$ref: '#/types/Lists'}}
  Emails: {type: array, items: {type: string, x-gdpr-sensitive: contact}}
  Tree: {type: object, properties: {children: {type: array, items: {$ref: '#/types/Tree'}}}}
urns:
  urn:babel:a:b:
    queue: q
    summary: s
    data:
      type: object
      properties: {email: {$ref: '#/types/Lists'}, emails: {$ref: '#/types/Emails'}, tree: {$ref: '#/types/Tree'}}
    examples: [{}]
`)
	if got := Check(c, Options{}); got != nil {
		t.Errorf("%v", got)
	}
}

func TestUnknownRulesAreAnsweredWithTheNearest(t *testing.T) {
	c := parse(t, `bqgen: 1
package: p
info: {owner: o}
lint: {missing-sumary: off, other: off}
queues: {} # bqgen:ignore unusedQueue not yet
urns: {}
`)
	var got []string
	for _, d := range Check(c, Options{}) {
		got = append(got, fmt.Sprintf("%d:%d-%d %s", d.Pos.Line, d.Pos.Column, d.End.Column, d.Hint))
	}
	want := []string{
		`4:8-22 did you mean "missing-summary"?`, "4:29-34 bqgen lint --rules lists them",
		`5:12-0 did you mean "unused-queue"?`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
