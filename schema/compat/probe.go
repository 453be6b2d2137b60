package compat

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/schema"
)

// A probe reports whether a value shows a change, and not another one in the same place.
type probe func(value any) bool

// outside is the probe for what a schema refuses.
func (w *walker) outside(s *schema.Schema) probe {
	return func(v any) bool { return w.judge.verdict(s, v) == refused }
}

// notIn is the probe for values that a list does not contain.
func notIn(list []any) probe {
	known := setOf(list)
	return func(v any) bool { return !known[valueKey(v)] }
}

func isNull(v any) bool { return v == nil }

// lacks is the probe for objects without a member.
func lacks(name string) probe {
	return func(v any) bool {
		members, ok := v.(map[string]any)
		_, there := members[name]
		return ok && !there
	}
}

// contains is the probe for objects with a member.
func contains(name string) probe {
	return func(v any) bool {
		members, _ := v.(map[string]any)
		_, there := members[name]
		return there
	}
}

// repeats is the probe for arrays with equal items.
func (w *walker) repeats() probe {
	unique := &schema.Schema{Kind: schema.Array, UniqueItems: true, Items: &schema.Schema{Kind: schema.Any}}
	return func(v any) bool {
		_, ok := v.([]any)
		return ok && w.judge.verdict(unique, v) == refused
	}
}

// mismatches is the probe for strings that do not match a pattern.
func (w *walker) mismatches(pattern string) probe {
	compiled, err := regexp.Compile(pattern)
	only := &schema.Schema{Kind: schema.String, Pattern: pattern}
	return func(v any) bool {
		s, ok := v.(string)
		return ok && err == nil && w.budget.Validation(only, s) && !compiled.MatchString(s)
	}
}

// beyond is the probe for values that a limit on lengths or numbers of things refuses.
func beyond(keyword string, limit int) probe {
	return func(v any) bool {
		switch {
		case countOf(v, keyword) < 0:
			return false
		case strings.HasPrefix(keyword, "min"):
			return countOf(v, keyword) < limit
		}
		return countOf(v, keyword) > limit
	}
}

// countOf returns what a keyword counts in a value; -1 when it does not count in such values.
func countOf(v any, keyword string) int {
	switch v := v.(type) {
	case string:
		if strings.HasSuffix(keyword, "Length") {
			return utf8.RuneCountInString(v)
		}
	case []any:
		if strings.HasSuffix(keyword, "Items") {
			return len(v)
		}
	case map[string]any:
		if strings.HasSuffix(keyword, "Properties") {
			return len(v)
		}
	}
	return -1
}

// offStep is the probe for numbers that are not multiples of another.
func offStep(step *big.Rat) probe {
	return func(v any) bool {
		n, ok := v.(json.Number)
		if !ok {
			return false
		}
		r, ok := new(big.Rat).SetString(n.String())
		return ok && !r.Quo(r, step).IsInt()
	}
}

// setOf returns the keys of values.
func setOf(values []any) map[string]bool {
	set := make(map[string]bool, len(values))
	for _, v := range values {
		set[valueKey(v)] = true
	}
	return set
}

// valueKey is the same for scalars that JSON Schema calls equal: 1 is 1.0.
func valueKey(v any) string {
	switch v := v.(type) {
	case string:
		return `"` + v
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok {
			return r.RatString()
		}
	}
	return encode(v)
}

// minus returns the values that a list does not contain.
func minus(values, list []any) []any {
	missing := notIn(list)
	var left []any
	for _, v := range values {
		if missing(v) {
			left = append(left, v)
		}
	}
	return left
}
