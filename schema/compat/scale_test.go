package compat

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// A change of a type that all messages share is one change, and is found quickly.
func TestAChangeOfASharedTypeIsOneChange(t *testing.T) {
	const n = 1500
	text := func(maximum int) *schema.Catalog {
		var b strings.Builder
		fmt.Fprintf(&b, "bqgen: 1\npackage: p\nqueues: {q: {}}\ntypes:\n  Money: {type: object, required: [amount], "+
			"properties: {amount: {type: integer, maximum: %d}}}\nurns:\n", maximum)
		for i := range n {
			fmt.Fprintf(&b, "  u%d: {queue: q, data: {type: object, required: [m], "+
				"properties: {m: {$ref: '#/types/Money'}}}}\n", i)
		}
		c, findings := load.Parse("urns.yaml", []byte(b.String()))
		if c == nil {
			t.Fatal(findings)
		}
		return c
	}
	old, new := text(10), text(9)
	start := time.Now()
	changes := Compare(old, new, Options{})
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if len(changes) != 1 || changes[0].Rule != "maximum-lowered" || len(changes[0].URNs) != n {
		t.Fatalf("%d changes", len(changes))
	}
	if got := string(changes[0].Producers.Document); got != `{"m":{"amount":10}}` {
		t.Errorf("document %s", got)
	}
	if got := changes[0].Pos; got.Line != 5 || got.Column != 82 {
		t.Errorf("at %v", got)
	}
}
