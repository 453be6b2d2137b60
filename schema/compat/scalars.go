package compat

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// values compares enum and const. It returns false when neither side has one, so that the other keywords count.
func (w *walker) values(o, n *schema.Schema) bool {
	was, is := validValues(o), validValues(n)
	switch {
	case was == nil && is == nil:
		return false
	case was == nil:
		f := finding{rule: "enum-introduced", pos: w.keyword(n, "const", "enum"), source: true,
			text: "only listed values are allowed now"}
		f.producers = w.claim(o, n, map[string]any{"enum": is})
		if foreign := w.refusedBy(o, is); foreign != nil {
			f.consumers = &claim{func() []any { return foreign }, renderSchema(o)}
		}
		if o.Kind == schema.Boolean && len(is) == 2 {
			f.producers = nil
		}
		w.report(f)
	case is == nil:
		f := finding{rule: "enum-lifted", pos: w.at, text: "values are no longer limited to a list", source: true}
		f.consumers = w.claim(n, o, map[string]any{"enum": was})
		if foreign := w.refusedBy(n, was); foreign != nil {
			f.producers = &claim{func() []any { return foreign }, renderSchema(n)}
		}
		w.report(f)
	case o.Const != nil || n.Const != nil:
		added, removed := minus(is, was), minus(was, is)
		if len(added)+len(removed) == 0 {
			return true
		}
		f := finding{rule: "const-changed", pos: w.keyword(n, "const", "enum"), source: true,
			text: fmt.Sprintf("the valid value was %s and is %s", show(was), show(is))}
		f.consumers, f.producers = valueClaim(added, was), valueClaim(removed, is)
		w.report(f)
	default:
		w.enums(n, was, is)
	}
	return true
}

func (w *walker) enums(n *schema.Schema, was, is []any) {
	for _, v := range minus(is, was) {
		f := finding{rule: "enum-value-added", pos: w.keyword(n, "enum"),
			text: fmt.Sprintf("value %s was added", show([]any{v}))}
		for i, e := range n.Enum {
			if sameValue(is[i], v) {
				f.pos = e.Pos
			}
		}
		f.consumers = valueClaim([]any{v}, was)
		w.report(f)
	}
	for _, v := range minus(was, is) {
		w.report(finding{rule: "enum-value-removed", pos: w.keyword(n, "enum"), source: true, gone: valueText(v),
			text:      fmt.Sprintf("value %s was removed", show([]any{v})),
			producers: valueClaim([]any{v}, is)})
	}
}

// valueClaim claims that the values may be written and are not in the list. It is nil without values.
func valueClaim(values, list []any) *claim {
	if len(values) == 0 {
		return nil
	}
	return &claim{func() []any { return values }, map[string]any{"enum": list}}
}

func (w *walker) refusedBy(s *schema.Schema, values []any) []any {
	var refused []any
	for _, v := range values {
		if !w.judge.accepts(s, v) {
			refused = append(refused, v)
		}
	}
	return refused
}

func minus(values, list []any) []any {
	var left []any
	for _, v := range values {
		if !slices.ContainsFunc(list, func(o any) bool { return sameValue(v, o) }) {
			left = append(left, v)
		}
	}
	return left
}

// sameValue compares as JSON Schema does: 1 is 1.0.
func sameValue(a, b any) bool {
	x, xNumber := a.(json.Number)
	y, yNumber := b.(json.Number)
	if xNumber && yNumber {
		p, ok := new(big.Rat).SetString(x.String())
		q, ok2 := new(big.Rat).SetString(y.String())
		return ok && ok2 && p.Cmp(q) == 0
	}
	return a == b
}

func show(values []any) string {
	var all []string
	for _, v := range values {
		all = append(all, text.Quote(valueText(v)))
	}
	return strings.Join(all, ", ")
}

// valueText is a string as it is, and any other value as JSON.
func valueText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return encode(v)
}

// subsets are formats all of whose values are valid in another one.
var subsets = map[[2]schema.Format]bool{
	{schema.UUID, schema.Hostname}: true, {schema.IPv4, schema.Hostname}: true, {schema.Date, schema.Hostname}: true,
}

func (w *walker) strings(o, n *schema.Schema) {
	w.stringFormats(o, n)
	w.patterns(o, n)
	w.bound(bounds{
		raised: "min-length-raised", lowered: "min-length-lowered", keyword: "minLength",
		old: valueOf(o.MinLength, 0), new: valueOf(n.MinLength, 0), tightens: true, probe: limitProbe,
	}, o, n)
	w.bound(bounds{
		raised: "max-length-raised", lowered: "max-length-lowered", keyword: "maxLength",
		old: valueOf(o.MaxLength, open), new: valueOf(n.MaxLength, open), probe: limitProbe,
	}, o, n)
}

func (w *walker) stringFormats(o, n *schema.Schema) {
	if o.Format == n.Format {
		return
	}
	probe := func(f schema.Format) any {
		return renderSchema(&schema.Schema{Kind: schema.String, Format: f})
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
	probe := func(p string) any { return map[string]any{"pattern": p} }
	f := finding{rule: "pattern-changed", pos: w.keyword(n, "pattern"),
		text: fmt.Sprintf("the pattern was %s and is %s", text.Quote(o.Pattern), text.Quote(n.Pattern))}
	switch {
	case o.Pattern == "":
		f.rule, f.text = "pattern-added", "the pattern is "+text.Quote(n.Pattern)+" now"
	case n.Pattern == "":
		f.rule, f.text = "pattern-removed", "the pattern is no longer "+text.Quote(o.Pattern)
	}
	if o.Pattern != "" {
		f.consumers = w.claim(n, o, probe(o.Pattern))
	}
	if n.Pattern != "" {
		f.producers = w.claim(o, n, probe(n.Pattern))
	}
	w.report(f)
}

func (w *walker) numbers(o, n *schema.Schema) {
	if w.values(o, n) {
		return
	}
	oldLow, oldHigh := rangeOf(o)
	newLow, newHigh := rangeOf(n)
	wider := oldLow.tighter(newLow, +1) || oldHigh.tighter(newHigh, -1)
	narrower := newLow.tighter(oldLow, +1) || newHigh.tighter(oldHigh, -1)
	either := func(rule, text string, pos schema.Pos, consumers, producers bool) {
		f := finding{rule: rule, pos: pos, text: text, source: true}
		if consumers {
			f.consumers = w.claim(n, o, rangeProbe(o))
		}
		if producers {
			f.producers = w.claim(o, n, rangeProbe(n))
		}
		w.report(f)
	}
	switch {
	case o.Kind == schema.Integer && n.Kind == schema.Number:
		fractions := n.MultipleOf == nil || !n.MultipleOf.Rat().IsInt()
		either("type-widened", "the type was integer and is number", w.keyword(n, "type"), fractions || wider, narrower)
	case o.Kind == schema.Number && n.Kind == schema.Integer:
		fractions := o.MultipleOf == nil || !o.MultipleOf.Rat().IsInt()
		either("type-narrowed", "the type was number and is integer", w.keyword(n, "type"), wider, fractions || narrower)
	case formatKind(o) != formatKind(n):
		text := fmt.Sprintf("the format was %s and is %s", formatKind(o), formatKind(n))
		either("number-format-changed", text, w.keyword(n, "format"), wider, narrower)
	default:
		w.limit("minimum", oldLow, newLow, +1, o, n)
		w.limit("maximum", oldHigh, newHigh, -1, o, n)
	}
	if o.Kind == n.Kind || o.MultipleOf != nil && n.MultipleOf != nil {
		w.multiples(o, n)
	}
}

// formatKind names the Go type that a number is decoded into.
func formatKind(s *schema.Schema) string {
	switch {
	case s.Format != schema.NoFormat:
		return s.Format.String()
	case s.Kind == schema.Integer:
		return schema.Int64.String()
	}
	return schema.Double.String()
}

// rangeProbe refuses the values that the type and the range of a number refuse.
func rangeProbe(s *schema.Schema) any {
	plain := *s
	plain.MultipleOf, plain.Nullable = nil, false
	return renderSchema(&plain)
}

func (w *walker) limit(name string, was, is limit, sign int, o, n *schema.Schema) {
	exclusive := "exclusive" + strings.ToUpper(name[:1]) + name[1:]
	f := finding{pos: w.keyword(n, name, exclusive),
		text: fmt.Sprintf("%s was %s and is %s", name, limitText(explicit(o, was)), limitText(explicit(n, is)))}
	tightened := is.tighter(was, sign)
	if !tightened && !was.tighter(is, sign) {
		return
	}
	f.rule = name + "-lowered"
	if tightened == (sign > 0) {
		f.rule = name + "-raised"
	}
	probe := func(s *schema.Schema) any {
		only := schema.Schema{Kind: s.Kind, Format: s.Format}
		if sign > 0 {
			only.Minimum, only.ExclusiveMinimum = s.Minimum, s.ExclusiveMinimum
		} else {
			only.Maximum, only.ExclusiveMaximum = s.Maximum, s.ExclusiveMaximum
		}
		return renderSchema(&only)
	}
	if tightened {
		f.producers = w.claim(o, n, probe(n))
	} else {
		f.consumers = w.claim(n, o, probe(o))
	}
	w.report(f)
}

// explicit returns a limit that the catalog sets. It leaves out the limit of the Go type, which nobody wrote.
func explicit(s *schema.Schema, l limit) limit {
	low, high := formatRange(s)
	for _, of := range []limit{low, high} {
		if l.at != nil && l.at.Cmp(of.at) == 0 {
			return limit{}
		}
	}
	return l
}

func limitText(l limit) string {
	if l.at == nil {
		return "not limited"
	}
	text := l.at.RatString()
	if v, exact := l.at.FloatPrec(); exact && v < 40 {
		text = l.at.FloatString(v)
	}
	if len(text) > 40 {
		text = new(big.Float).SetRat(l.at).Text('g', 10)
	}
	if l.exclusive {
		text += " (exclusive)"
	}
	return text
}

func (w *walker) multiples(o, n *schema.Schema) {
	was, is := stepOf(o), stepOf(n)
	f := finding{rule: "multiple-of-changed", pos: w.keyword(n, "multipleOf"),
		text: fmt.Sprintf("multipleOf was %s and is %s", limitText(limit{at: was}), limitText(limit{at: is}))}
	if !fits(is, was) {
		f.consumers = w.claim(n, o, map[string]any{"multipleOf": json.Number(was.FloatString(precision(was)))})
	}
	if !fits(was, is) {
		f.producers = w.claim(o, n, map[string]any{"multipleOf": json.Number(is.FloatString(precision(is)))})
	}
	if f.consumers != nil || f.producers != nil {
		w.report(f)
	}
}

func precision(r *big.Rat) int {
	n, _ := r.FloatPrec()
	return n
}
