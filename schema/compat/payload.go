package compat

import (
	"fmt"
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// compare reports how a schema differs. It follows references: what counts is the structure behind them.
func (w *walker) compare(old, new *schema.Schema) {
	w.steps++ // what was met before costs as much: a thousand types can have a thousand members each
	w.annotations(old, new)
	o, n := old.Resolve(), new.Resolve()
	w.typeNames(old, new)
	for s := new; s.Kind == schema.Ref; s = s.Target.Schema {
		w.owner, w.path, w.at = "type "+text.Quote(s.Target.Name), nil, s.Target.Pos
	}
	if o.Kind != schema.Any && n.Kind != schema.Any {
		w.null(old, new)
	}
	key := pair{o, n, w.dirs}
	if w.met[key] {
		return
	}
	w.met[key] = true
	if w.isKnown(old, new, key) {
		return
	}
	weight := 1 + weightOf(o) + weightOf(n)
	w.steps += weight / 8
	if w.givesUp() {
		return
	}
	if !w.quiet {
		w.work -= weight
	}
	if old.Kind == schema.Ref || new.Kind == schema.Ref {
		w.annotations(o, n)
	}
	w.kinds(o, n)
}

// weightOf is the number of members and values of a schema, which are compared with those of the other one.
func weightOf(s *schema.Schema) int { return len(s.Properties) + len(s.Branches) + len(s.Enum) }

// isKnown reports whether a comparison can be left out: a quiet one when the steps are used up, another one when the
// same types were compared for another URN.
func (w *walker) isKnown(old, new *schema.Schema, key pair) bool {
	switch {
	case w.quiet:
		return w.exhausted()
	case old.Kind != schema.Ref || new.Kind != schema.Ref:
		return false
	case w.exhausted() && w.types[key]:
		return true
	}
	w.types[key] = true
	return false
}

func (w *walker) null(old, new *schema.Schema) {
	was, is := old.AllowsNull(), new.AllowsNull()
	switch {
	case !was && is:
		w.report(finding{rule: "null-allowed", pos: w.keyword(new, "type", "enum", "oneOf"), source: true,
			text:      "null is allowed now",
			consumers: w.claim(new, old, isNull)})
	case was && !is:
		w.report(finding{rule: "null-refused", pos: w.keyword(new, "type", "enum", "oneOf"), source: true,
			text:      "null is no longer allowed",
			producers: w.claim(old, new, isNull)})
	}
}

func isNumeric(k schema.Kind) bool { return k == schema.Integer || k == schema.Number }

func (w *walker) kinds(o, n *schema.Schema) {
	isSame := o.Kind == n.Kind || isNumeric(o.Kind) && isNumeric(n.Kind)
	isSame = isSame && (o.Discriminator == "") == (n.Discriminator == "")
	switch hasRules := len(o.Rules) > 0 || len(n.Rules) > 0; {
	case isSame:
		w.ruleChanges(o, n)
	case hasRules:
		w.rawChanges(o, n)
		return
	}
	switch {
	case o.Kind == schema.Any && n.Kind == schema.Any:
	case n.Kind == schema.Any:
		w.report(finding{rule: "type-widened", pos: w.at, text: "anything is allowed now", source: true,
			consumers: w.claim(n, o, w.outside(o))})
	case o.Kind == schema.Any:
		w.report(finding{rule: "type-narrowed", pos: w.keyword(n, "type", "oneOf"), source: true,
			text:      "anything was allowed, and some values no longer are",
			producers: w.claim(o, n, w.outside(n))})
	case isNumeric(o.Kind) && isNumeric(n.Kind):
		w.numbers(o, n)
	case o.Kind == n.Kind:
		switch n.Kind {
		case schema.Object:
			w.objects(o, n)
		case schema.Array:
			w.arrays(o, n)
		case schema.Union:
			if o.Discriminator != "" && n.Discriminator != "" { // else rules say all
				w.unions(o, n)
			}
		case schema.String:
			if !w.values(o, n) {
				w.strings(o, n)
			}
		case schema.Boolean:
			w.values(o, n)
		}
	case o.Kind == schema.Union && asBranch(n, o.Discriminator) != nil:
		w.unions(o, asBranch(n, o.Discriminator))
	case n.Kind == schema.Union && asBranch(o, n.Discriminator) != nil:
		w.unions(asBranch(o, n.Discriminator), n)
	default:
		was, is := kindName(o.Kind), kindName(n.Kind)
		w.report(finding{
			rule: "type-changed", pos: w.keyword(n, "type", "oneOf"), source: true,
			text:      fmt.Sprintf("the type was %s and is %s", was, is),
			consumers: w.claim(n, o, w.outside(o)), producers: w.claim(o, n, w.outside(n)),
		})
	}
}

func kindName(k schema.Kind) string {
	switch k {
	case schema.Union:
		return "a union"
	case schema.Any:
		return "anything"
	}
	return k.String()
}

// asBranch returns an object as a union of one branch; nil when its discriminator is not a const.
func asBranch(s *schema.Schema, discriminator string) *schema.Schema {
	if s.Kind != schema.Object {
		return nil
	}
	i := slices.IndexFunc(s.Properties, func(p *schema.Property) bool { return p.Name == discriminator && p.Required })
	if i < 0 {
		return nil
	}
	tag := s.Properties[i].Schema.Resolve()
	if tag.Const == nil || tag.Kind != schema.String {
		return nil
	}
	value, _ := decode(tag.Const.JSON).(string)
	return &schema.Schema{Pos: s.Pos, Kind: schema.Union, Discriminator: discriminator,
		Branches: []schema.Branch{{Pos: s.Pos, Value: value, Schema: s}}}
}

func (w *walker) arrays(o, n *schema.Schema) {
	w.bound(bounds{
		raised: "min-items-raised", lowered: "min-items-lowered", keyword: "minItems",
		old: valueOf(o.MinItems, 0), new: valueOf(n.MinItems, 0), tightens: true, probe: beyond,
		oldRest: valueOf(o.MinItems, 0), newRest: valueOf(n.MinItems, 0),
	}, o, n)
	w.bound(bounds{
		raised: "max-items-raised", lowered: "max-items-lowered", keyword: "maxItems",
		old: valueOf(o.MaxItems, open), new: valueOf(n.MaxItems, open), probe: beyond,
		oldRest: valueOf(o.MaxItems, open), newRest: valueOf(n.MaxItems, open),
	}, o, n)
	switch {
	case n.UniqueItems && !o.UniqueItems && valueOf(o.MaxItems, open) > 1:
		w.report(finding{rule: "unique-items-added", pos: w.keyword(n, "uniqueItems"), text: "items have to be unique now",
			producers: w.claim(o, n, w.repeats())})
	case o.UniqueItems && !n.UniqueItems && valueOf(n.MaxItems, open) > 1:
		w.report(finding{rule: "unique-items-removed", pos: w.at, text: "items may be repeated now",
			consumers: w.claim(n, o, w.repeats())})
	}
	if o.Items != nil && n.Items != nil {
		w.step(&frame{old: o, new: n}, "items", n.Items.Pos, o.Items, n.Items)
	}
}

// open stands for no upper bound.
const open = int(^uint(0) >> 1)

// bounds are the old and the new limit of a length or a number of things.
type bounds struct {
	raised, lowered string // rules
	keyword         string
	old, new        int
	oldRest         int  // the limit that all keywords of the old schema leave together
	newRest         int  // and those of the new one
	tightens        bool // a higher value allows less: it is a lower limit
	probe           func(keyword string, limit int) probe
}

// isBeyond reports whether a limit leaves values that another one refuses.
func (b bounds) isBeyond(rest, limit int) bool {
	if b.tightens {
		return rest < limit
	}
	return rest > limit
}

func (w *walker) bound(b bounds, o, n *schema.Schema) {
	if b.old == b.new {
		return
	}
	f := finding{rule: b.lowered, pos: w.keyword(n, b.keyword),
		text: fmt.Sprintf("%s was %s and is %s", b.keyword, number(b.old), number(b.new))}
	if b.new > b.old {
		f.rule = b.raised
	}
	switch tightened := b.tightens == (b.new > b.old); {
	case tightened && b.isBeyond(b.oldRest, b.new):
		f.producers = w.claim(o, n, b.probe(b.keyword, b.new))
	case !tightened && b.isBeyond(b.newRest, b.old):
		f.consumers = w.claim(n, o, b.probe(b.keyword, b.old))
	}
	w.report(f)
}

func number(v int) string {
	if v == open {
		return "not limited"
	}
	return fmt.Sprint(v)
}
