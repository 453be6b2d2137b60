package compat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// values builds documents of one schema that might violate another. Not all of them are valid.
func (s *sampler) values(from, other *schema.Schema, depth int) []any {
	if depth > maxSampleDepth {
		return nil
	}
	var all []any
	if v, ok := s.smallest(from, depth); ok {
		all = append(all, v)
	}
	if from.AllowsNull() {
		all = append(all, nil)
	}
	x, o := from.Resolve(), other.Resolve()
	switch x.Kind {
	case schema.Any:
		all = append(all, "any", json.Number("1"), json.Number("1.5"), true, map[string]any{}, []any{}, nil)
		all = append(all, s.scalars(o, o)...)
	case schema.Object:
		all = append(all, s.objects(x, o, depth)...)
	case schema.Array:
		for _, n := range lengths(x.MinItems, x.MaxItems, o.MinItems, o.MaxItems) {
			if v, ok := s.array(x, n, nil, depth); ok {
				all = append(all, v)
			}
		}
		if item, ok := s.smallest(x.Items, depth+1); ok {
			if v, ok := s.array(x, valueOf(x.MinItems, 0), []any{item, item}, depth); ok {
				all = append(all, v)
			}
		}
	case schema.Union:
		for _, b := range x.Branches[:min(len(x.Branches), maxCandidates)] {
			if v, ok := s.smallest(b.Schema, depth+1); ok {
				all = append(all, v)
			}
		}
	default:
		all = append(all, s.scalars(x, o)...)
	}
	return s.distinct(all)
}

// distinct returns the first different values of a list, without those that are too large to be shown.
func (s *sampler) distinct(values []any) []any {
	seen := map[string]bool{}
	var all []any
	for _, v := range values {
		n := size(v, maxDocument)
		if len(all) == maxCandidates || n >= maxDocument || !s.judge.budget.Spend(n*buildCost) {
			continue
		}
		if text := encode(v); !seen[text] {
			seen[text] = true
			all = append(all, v)
		}
	}
	return all
}

func (s *sampler) objects(x, o *schema.Schema, depth int) []any {
	var all []any
	full := map[string]any{}
	for _, p := range x.Properties {
		member, ok := s.smallest(p.Schema, depth+1)
		if !ok {
			continue
		}
		full[p.Name] = member
		if len(all) == maxCandidates {
			continue
		}
		if v, ok := s.object(x, map[string]any{p.Name: member}, depth); ok {
			all = append(all, v)
		}
	}
	if v, ok := s.object(x, full, depth); ok {
		all = append(all, v)
	}
	for _, n := range lengths(x.MinProperties, x.MaxProperties, o.MinProperties, o.MaxProperties) {
		if v, ok := s.sized(x, n, depth); ok {
			all = append(all, v)
		}
	}
	if member, ok := s.extra(x, depth); ok {
		// The judge decides whether undeclared members are allowed.
		if v, ok := s.object(x, map[string]any{freeName("extra", x, o): member}, depth); ok {
			all = append(all, v)
		}
	}
	return all
}

// sized builds an object with n members.
func (s *sampler) sized(x *schema.Schema, n, depth int) (map[string]any, bool) {
	if n > maxSampleItems || !s.judge.budget.Spend(len(x.Properties)) {
		return nil, false
	}
	v, ok := s.object(x, nil, depth)
	if !ok {
		return nil, false
	}
	for _, p := range x.Properties {
		if _, there := v[p.Name]; !there && len(v) < n {
			if member, ok := s.smallest(p.Schema, depth+1); ok {
				v[p.Name] = member
			}
		}
	}
	if x.Additional == schema.AdditionalKept {
		member, ok := s.extra(x, depth)
		for i := 0; ok && len(v) < n; i++ {
			v[freeName(fmt.Sprintf("extra_%d", i), x)] = member
		}
	}
	return v, len(v) == n
}

func valueOf(v *int, otherwise int) int {
	if v == nil {
		return otherwise
	}
	return *v
}

func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
