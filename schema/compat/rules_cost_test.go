package compat

import (
	"runtime"
	"testing"

	"github.com/babelqueue/bqgen/schema"
)

// A change of rules that many messages share is written once, also when no more types are written out.
func TestSharedRulesAreWrittenOnce(t *testing.T) {
	build := func(last string) *schema.Catalog {
		return parse(t, "types:\n  T: {not: {anyOf: [", numbered(2000, "{const: vN}, "), last, "]}}\n",
			"urns:\n", numbered(300, "  uN: {queue: q, data: {type: object, properties: {a: {$ref: '#/types/T'}}}}\n"))
	}
	c := newComparer(build("{type: string}"), build("{type: integer}"), Options{})
	c.budget.Limit(0)
	c.rendered = maxRendered
	before := allocated()
	changes := c.run()
	if took := allocated() - before; took > 20<<20 {
		t.Errorf("%d MB were allocated", took>>20)
	}
	if len(changes) != 1 || changes[0].Rule != "rules-changed" {
		t.Errorf("%d changes", len(changes))
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
