package compat

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/babelqueue/bqgen/schema"
)

const (
	maxSampleDepth = 24
	maxSampleItems = 300     // longer arrays are not built
	maxSampleText  = 100_000 // in characters; longer strings are not built
	maxSampleSize  = 2000    // in values; larger small documents are not built
	maxCandidates  = 500
	sizeOfText     = 100 // characters of a text that count as one more value
	buildCost      = 50  // of one value of a document
)

// A sampler builds documents that a producer could write. What it builds is charged to the budget of the judge; when
// that is used up, it builds nothing.
type sampler struct {
	judge *judge
	known map[*schema.Schema]*smallestValue
}

func newSampler(j *judge) *sampler { return &sampler{j, map[*schema.Schema]*smallestValue{}} }

// A smallestValue is what is known about a schema: a value with some number of levels, or that there is none with as
// many.
type smallestValue struct {
	value  any
	levels int // 0 when nothing is known
	none   int
}

// smallest builds a valid value that is as small and has as few levels as possible. Depth is the level at which it is
// used.
func (s *sampler) smallest(x *schema.Schema, depth int) (any, bool) {
	for levels := 1; levels <= maxSampleDepth-depth; levels++ {
		if v, ok := s.within(x, levels); ok {
			return v, true
		}
	}
	return nil, x.Nullable
}

// within builds a value with a limited number of levels. It remembers its results: types refer to each other in more
// ways than can be tried.
func (s *sampler) within(x *schema.Schema, levels int) (any, bool) {
	k := s.known[x]
	if k == nil {
		k = &smallestValue{}
		s.known[x] = k
	}
	switch {
	case k.levels > 0 && k.levels <= levels:
		return k.value, true
	case levels <= k.none:
		return nil, false
	}
	v, ok := s.build(x, levels)
	if ok = ok && size(v, maxSampleSize) < maxSampleSize; ok {
		k.value, k.levels = v, levels
	} else {
		k.none = max(k.none, levels)
	}
	return v, ok
}

func (s *sampler) build(x *schema.Schema, levels int) (any, bool) {
	depth := maxSampleDepth - levels // the parts have one level less
	if levels <= 0 || !s.judge.budget.Spend(buildCost) {
		return nil, false
	}
	switch x.Kind {
	case schema.Any:
		return "any", true
	case schema.Ref:
		return s.within(x.Target.Schema, levels-1)
	case schema.Object:
		return s.object(x, nil, depth)
	case schema.Array:
		return s.array(x, valueOf(x.MinItems, 0), nil, depth)
	case schema.Union:
		for _, b := range x.Branches {
			if v, ok := s.within(b.Schema, levels-1); ok {
				return v, true
			}
		}
		return nil, false
	}
	for _, v := range s.scalars(x, x) {
		if s.judge.accepts(x, v) {
			return v, true
		}
	}
	return nil, false
}

// size counts the values in a document, up to a limit: a document can be much larger than its schema. Long text counts
// as several.
func size(v any, limit int) int {
	n := 1
	switch v := v.(type) {
	case string:
		n += len(v) / sizeOfText
	case map[string]any:
		for _, member := range v {
			if n < limit {
				n += size(member, limit-n)
			}
		}
	case []any:
		for _, item := range v {
			if n < limit {
				n += size(item, limit-n)
			}
		}
	}
	return n
}

// object builds an object with the required members and the given ones.
func (s *sampler) object(x *schema.Schema, given map[string]any, depth int) (map[string]any, bool) {
	if !s.judge.budget.Spend(len(x.Properties) + len(given)*buildCost) {
		return nil, false
	}
	v := maps.Clone(given)
	if v == nil {
		v = map[string]any{}
	}
	fill := func(p *schema.Property) bool {
		if _, there := v[p.Name]; there {
			return true
		}
		member, ok := s.smallest(p.Schema, depth+1)
		if ok = ok && s.judge.budget.Spend(buildCost); ok {
			v[p.Name] = member
		}
		return ok
	}
	for _, p := range x.Properties {
		if p.Required && !fill(p) {
			return nil, false
		}
	}
	for _, p := range x.Properties {
		if len(v) < valueOf(x.MinProperties, 0) {
			fill(p)
		}
	}
	for i := 0; len(v) < valueOf(x.MinProperties, 0) && x.Additional == schema.AdditionalKept; i++ {
		member, ok := s.extra(x, depth)
		if !ok || i > maxSampleItems || !s.judge.budget.Spend(buildCost+len(x.Properties)) {
			return nil, false
		}
		v[freeName(fmt.Sprintf("extra_%d", i), x)] = member
	}
	return v, true
}

// extra builds the value of an undeclared member.
func (s *sampler) extra(x *schema.Schema, depth int) (any, bool) {
	if x.AdditionalSchema == nil {
		return "any", true
	}
	return s.smallest(x.AdditionalSchema, depth+1)
}

// freeName returns a name that is not a property of the objects.
func freeName(name string, objects ...*schema.Schema) string {
	for _, x := range objects {
		for _, p := range x.Properties {
			if p.Name == name {
				return freeName(name+"_", objects...)
			}
		}
	}
	return name
}

// array builds an array of n items, the given ones first.
func (s *sampler) array(x *schema.Schema, n int, given []any, depth int) ([]any, bool) {
	items := append([]any{}, given...)
	if n > maxSampleItems || !s.judge.budget.Spend(n*buildCost) {
		return nil, false
	}
	if len(items) >= n {
		return items, true
	}
	if !x.UniqueItems {
		item, ok := s.smallest(x.Items, depth+1)
		for ok && len(items) < n {
			items = append(items, item)
		}
		return items, ok
	}
	seen := map[string]bool{}
	for _, item := range items {
		seen[encode(item)] = true
	}
	for _, item := range s.values(x.Items, x.Items, depth+8) { // few levels of it: each multiplies
		if text := encode(item); len(items) < n && !seen[text] && s.judge.accepts(x.Items, item) {
			seen[text] = true
			items = append(items, item)
		}
	}
	for i := 0; len(items) < n && i < 2*maxSampleItems; i++ {
		text := fmt.Sprintf("v%0*d", valueOf(x.Items.Resolve().MinLength, 1), i)
		for _, item := range []any{text, json.Number(fmt.Sprint(i))} {
			if text := encode(item); len(items) < n && !seen[text] && s.judge.accepts(x.Items, item) {
				seen[text] = true
				items = append(items, item)
			}
		}
	}
	return items, len(items) >= n
}
