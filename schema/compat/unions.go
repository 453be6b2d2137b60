package compat

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

func (w *walker) unions(o, n *schema.Schema) {
	if o.Discriminator != n.Discriminator {
		was, is := text.Quote(o.Discriminator), text.Quote(n.Discriminator)
		w.report(finding{rule: "discriminator-changed", pos: w.keyword(n, "oneOf"), source: true,
			text:      fmt.Sprintf("the discriminator was %s and is %s", was, is),
			consumers: w.claim(n, o, w.outside(o)), producers: w.claim(o, n, w.outside(n))})
		return
	}
	was, is := branchesOf(o), branchesOf(n)
	for _, b := range n.Branches {
		before, there := was[b.Value]
		if there {
			w.step(nil, b.Value, b.Pos, before.Schema, b.Schema)
			continue
		}
		f := finding{rule: "branch-added", pos: b.Pos, source: true,
			text: fmt.Sprintf("branch %s was added", text.Quote(b.Value))}
		if !o.KeepUnknown {
			f.consumers = &claim{w.branch(b), w.outside(o)}
		}
		w.report(f)
	}
	for _, b := range o.Branches {
		if _, there := is[b.Value]; there {
			continue
		}
		f := finding{rule: "branch-removed", pos: w.keyword(n, "oneOf"), source: true, gone: b.Value,
			text: fmt.Sprintf("branch %s was removed", text.Quote(b.Value))}
		if !n.KeepUnknown {
			f.producers = &claim{w.branch(b), w.outside(n)}
		}
		w.report(f)
	}
	switch {
	case n.KeepUnknown && !o.KeepUnknown:
		w.report(finding{rule: "unknown-branch-kept", pos: w.keyword(n, "x-unknown-branch"), source: true,
			text: "unknown branches are kept now"})
	case o.KeepUnknown && !n.KeepUnknown:
		unknown := func() []any {
			var all []any
			for _, name := range []string{"unknown", "unknown_1", "unknown_2"} {
				all = append(all, map[string]any{o.Discriminator: name})
			}
			return all
		}
		w.report(finding{rule: "unknown-branch-refused", pos: w.at, text: "unknown branches are refused now", source: true,
			producers: &claim{unknown, w.outside(n)}})
	}
}

func branchesOf(s *schema.Schema) map[string]schema.Branch {
	m := make(map[string]schema.Branch, len(s.Branches))
	for _, b := range s.Branches {
		m[b.Value] = b
	}
	return m
}

func (w *walker) branch(b schema.Branch) func() []any {
	return func() []any { return w.sampler.values(b.Schema, b.Schema, 0) }
}
