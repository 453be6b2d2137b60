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
