package load

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/schema"
)

const withIgnores = `bqgen: 1 # bqgen:ignore one the line it stands on
package: p
lint: {no-owner: off, no-summary: error}
info:
  title: "# bqgen:ignore not-this a string"
  description: |
    text
    # bqgen:ignore nor-this a line of text
# bqgen:ignore two the next line

# another comment
queues: {q: {}}
urns:
  # bqgen:ignore
  u: {queue: q, data: {type: object}} # bqgen:ignored is another word
  # bqgen:ignore rule
  v: {queue: q, summary: "a # bqgen:ignore x y", data: {type: object}} # bqgen:ignore three after a string
# bqgen:ignore last nothing follows
`

func at(line, column int) schema.Pos {
	return schema.Pos{File: "urns.yaml", Line: line, Column: column}
}

func ignore(pos schema.Pos, line int, rule, reason string) schema.Ignore {
	return schema.Ignore{Pos: pos, Line: line, Rule: rule, Reason: reason}
}

func TestIgnoresAreCommentsAndKnowTheirLine(t *testing.T) {
	c, findings := Parse("urns.yaml", []byte(withIgnores))
	if c == nil {
		t.Fatal(findings)
	}
	want := []schema.Ignore{
		ignore(at(1, 10), 1, "one", "the line it stands on"),
		ignore(at(9, 1), 12, "two", "the next line"),
		ignore(at(14, 3), 15, "", ""),
		ignore(at(16, 3), 17, "rule", ""),
		ignore(at(18, 1), 0, "last", "nothing follows"),
	}
	// Line 17 has the words twice, first in a string: the comment behind it is the one that counts.
	want = append(want[:4], ignore(at(17, 72), 17, "three", "after a string"), want[4])
	if diff := cmp.Diff(want, c.Ignores); diff != "" {
		t.Errorf("ignores (-want +got):\n%s", diff)
	}
	settings := []schema.LintSetting{
		{Pos: at(3, 8), Rule: "no-owner", Level: schema.LintOff},
		{Pos: at(3, 23), Rule: "no-summary", Level: schema.LintError},
	}
	if diff := cmp.Diff(settings, c.Lint); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

func TestLintLevelsAreChecked(t *testing.T) {
	_, findings := Parse("urns.yaml", []byte("bqgen: 1\npackage: p\nlint: {a: loud, b: [x]}\nqueues: {}\nurns: {}\n"))
	if len(findings) != 2 || findings[0].Rule != schema.RuleLintLevel || findings[0].Pos.Line != 3 {
		t.Error(findings)
	}
}

func TestKeysAreFoundWhereTheyStand(t *testing.T) {
	src := "bqgen: 1\npackage: p\nqueues:\n  q:\n    max_attempts: 1\n    topic: x\nurns:\n  u:\n    queue: q\n    " +
		"data:\n      type: object\n      properties:\n        a:\n          type: string\n"
	c, findings := Parse("urns.yaml", []byte(src))
	if c == nil {
		t.Fatal(findings)
	}
	for _, tt := range []struct{ got, want schema.Pos }{
		{c.KeyUnder(c.Queues[0].Pos, "topic"), at(6, 5)},
		{c.KeyUnder(c.Queues[0].Pos, "dead_letter"), at(4, 3)},
		{c.KeyUnder(c.URNs[0].Pos, "queue"), at(9, 5)},
		{c.KeyIn(c.URNs[0].Data.Pos, "properties"), at(12, 7)},
		{c.KeyIn(c.URNs[0].Data.Pos, "required"), at(11, 7)},
		{(&schema.Catalog{}).KeyIn(at(1, 2), "x"), at(1, 2)},
	} {
		if tt.got != tt.want {
			t.Errorf("%v, want %v", tt.got, tt.want)
		}
	}
}
