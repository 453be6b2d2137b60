package compat

import (
	"fmt"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// subsets are formats all of whose values are valid in another one.
var subsets = map[[2]schema.Format]bool{
	{schema.UUID, schema.Hostname}: true, {schema.IPv4, schema.Hostname}: true, {schema.Date, schema.Hostname}: true,
}

func (w *walker) strings(o, n *schema.Schema) {
	w.stringFormats(o, n)
	w.patterns(o, n)
	oldLeast, oldMost := lengthRange(o)
	newLeast, newMost := lengthRange(n)
	w.bound(bounds{
		raised: "min-length-raised", lowered: "min-length-lowered", keyword: "minLength",
		old: valueOf(o.MinLength, 0), new: valueOf(n.MinLength, 0), tightens: true, probe: beyond,
		oldRest: oldLeast, newRest: newLeast,
	}, o, n)
	w.bound(bounds{
		raised: "max-length-raised", lowered: "max-length-lowered", keyword: "maxLength",
		old: valueOf(o.MaxLength, open), new: valueOf(n.MaxLength, open), probe: beyond,
		oldRest: oldMost, newRest: newMost,
	}, o, n)
}

func (w *walker) stringFormats(o, n *schema.Schema) {
	if o.Format == n.Format {
		return
	}
	probe := func(f schema.Format) probe {
		return w.outside(&schema.Schema{Kind: schema.String, Format: f})
	}
	f := finding{pos: w.keyword(n, "format"), source: true}
	switch {
	case o.Format == schema.NoFormat:
		f.rule, f.text = "format-added", fmt.Sprintf("the format is %v now", n.Format)
		f.producers = w.claim(o, n, probe(n.Format))
	case n.Format == schema.NoFormat:
		f.rule, f.text = "format-removed", fmt.Sprintf("the format is no longer %v", o.Format)
		f.consumers = w.claim(n, o, probe(o.Format))
	default:
		f.rule, f.text = "format-changed", fmt.Sprintf("the format was %v and is %v", o.Format, n.Format)
		if !subsets[[2]schema.Format{n.Format, o.Format}] {
			f.consumers = w.claim(n, o, probe(o.Format))
		}
		if !subsets[[2]schema.Format{o.Format, n.Format}] {
			f.producers = w.claim(o, n, probe(n.Format))
		}
	}
	w.report(f)
}

func (w *walker) patterns(o, n *schema.Schema) {
	if o.Pattern == n.Pattern {
		return
	}
	f := finding{rule: "pattern-changed", pos: w.keyword(n, "pattern"),
		text: fmt.Sprintf("the pattern was %s and is %s", text.Quote(o.Pattern), text.Quote(n.Pattern))}
	switch {
	case o.Pattern == "":
		f.rule, f.text = "pattern-added", "the pattern is "+text.Quote(n.Pattern)+" now"
	case n.Pattern == "":
		f.rule, f.text = "pattern-removed", "the pattern is no longer "+text.Quote(o.Pattern)
	}
	if o.Pattern != "" {
		f.consumers = w.claim(n, o, w.mismatches(o.Pattern))
	}
	if n.Pattern != "" {
		f.producers = w.claim(o, n, w.mismatches(n.Pattern))
	}
	w.report(f)
}
