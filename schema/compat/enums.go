package compat

import (
	"fmt"

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
		f.producers = w.claim(o, n, notIn(is))
		if foreign := w.refusedBy(o, is); foreign != nil {
			f.consumers = &claim{func() []any { return foreign }, w.outside(o)}
		}
		if o.Kind == schema.Boolean && len(is) == 2 {
			f.producers = nil
		}
		w.report(f)
	case is == nil:
		f := finding{rule: "enum-lifted", pos: w.at, text: "values are no longer limited to a list", source: true}
		f.consumers = w.claim(n, o, notIn(was))
		if foreign := w.refusedBy(n, was); foreign != nil {
			f.producers = &claim{func() []any { return foreign }, w.outside(n)}
		}
		w.report(f)
	case o.Const != nil || n.Const != nil:
		added, removed := minus(is, was), minus(was, is)
		if len(added)+len(removed) == 0 {
			return true
		}
		f := finding{rule: "const-changed", pos: w.keyword(n, "const", "enum"), source: true,
			text: fmt.Sprintf("the valid value was %s and is %s", show(was), show(is))}
		f.consumers, f.producers = valueClaim(added), valueClaim(removed)
		w.report(f)
	default:
		w.enums(n, was, is)
	}
	return true
}

func (w *walker) enums(n *schema.Schema, was, is []any) {
	known := setOf(was)
	for i, v := range is {
		if !known[valueKey(v)] {
			w.report(finding{rule: "enum-value-added", pos: n.Enum[i].Pos,
				text: fmt.Sprintf("value %s was added", show([]any{v})), consumers: valueClaim([]any{v})})
		}
	}
	for _, v := range minus(was, is) {
		w.report(finding{rule: "enum-value-removed", pos: w.keyword(n, "enum"), source: true, gone: valueText(v),
			text:      fmt.Sprintf("value %s was removed", show([]any{v})),
			producers: valueClaim([]any{v})})
	}
}

// valueClaim claims that the values, which the other side does not list, may be written. It is nil without values.
func valueClaim(values []any) *claim {
	if len(values) == 0 {
		return nil
	}
	return &claim{func() []any { return values }, func(any) bool { return true }}
}

// refusedBy returns the values that a schema refuses, or may refuse: when the budget is used up, nobody knows.
func (w *walker) refusedBy(s *schema.Schema, values []any) []any {
	var refused []any
	for _, v := range values {
		if w.judge.verdict(s, v) != accepted {
			refused = append(refused, v)
		}
	}
	return refused
}

func show(values []any) string {
	var all []string
	for _, v := range values {
		all = append(all, text.Quote(valueText(v)))
	}
	return text.List(all)
}

// valueText is a string as it is, and any other value as JSON.
func valueText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return encode(v)
}
