package compat

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

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
			f.consumers = w.claim(n, o, w.rangeProbe(o))
		}
		if producers {
			f.producers = w.claim(o, n, w.rangeProbe(n))
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
func (w *walker) rangeProbe(s *schema.Schema) probe {
	plain := *s
	plain.MultipleOf, plain.Nullable = nil, false
	return w.outside(&plain)
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
	probe := func(s *schema.Schema) probe {
		only := schema.Schema{Kind: s.Kind, Format: s.Format}
		if sign > 0 {
			only.Minimum, only.ExclusiveMinimum = s.Minimum, s.ExclusiveMinimum
		} else {
			only.Maximum, only.ExclusiveMaximum = s.Maximum, s.ExclusiveMaximum
		}
		return w.outside(&only)
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
	text := numberText(l.at)
	if l.exclusive {
		text += " (exclusive)"
	}
	return text
}

// numberText writes a number as it is, or with ten digits if it has more than 40.
func numberText(r *big.Rat) string {
	const most, mostBits = 40, 300 // no text of a number of more bits is that short
	if r.Num().BitLen()+r.Denom().BitLen() <= mostBits {
		text := r.RatString()
		if v, exact := r.FloatPrec(); exact && v < most {
			text = r.FloatString(v)
		}
		if len(text) <= most {
			return text
		}
	}
	f, _ := r.Float64()
	if math.IsInf(f, 0) || math.Abs(f) < 1e-300 && r.Sign() != 0 {
		return new(big.Float).SetRat(r).Text('g', 10)
	}
	return strconv.FormatFloat(f, 'g', 10, 64)
}

func (w *walker) multiples(o, n *schema.Schema) {
	was, is := stepOf(o), stepOf(n)
	f := finding{rule: "multiple-of-changed", pos: w.keyword(n, "multipleOf"),
		text: fmt.Sprintf("multipleOf was %s and is %s", limitText(limit{at: was}), limitText(limit{at: is}))}
	if !fits(is, was) {
		f.consumers = w.claim(n, o, offStep(was))
	}
	if !fits(was, is) {
		f.producers = w.claim(o, n, offStep(is))
	}
	if f.consumers != nil || f.producers != nil {
		w.report(f)
	}
}
