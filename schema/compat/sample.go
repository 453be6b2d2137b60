package compat

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

const (
	maxSampleDepth = 24
	maxSampleItems = 300     // longer arrays are not built
	maxSampleText  = 100_000 // in characters; longer strings are not built
	maxSampleSize  = 2000    // in values; larger small documents are not built
	maxCandidates  = 500
)

// A sampler builds documents that a producer could write.
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
	if levels <= 0 {
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
	for _, v := range scalars(x, x) {
		if s.judge.accepts(x, v) {
			return v, true
		}
	}
	return nil, false
}

// size counts the values in a document, up to a limit: a document can be much larger than its schema.
func size(v any, limit int) int {
	n := 1
	switch v := v.(type) {
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
	v := map[string]any{}
	for name, member := range given {
		v[name] = member
	}
	fill := func(p *schema.Property) bool {
		if _, there := v[p.Name]; there {
			return true
		}
		member, ok := s.smallest(p.Schema, depth+1)
		if ok {
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
		if i > maxSampleItems {
			return nil, false
		}
		member, ok := s.extra(x, depth)
		if !ok {
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
	if n > maxSampleItems {
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
		all = append(all, scalars(o, o)...)
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
		for _, b := range x.Branches {
			if v, ok := s.smallest(b.Schema, depth+1); ok {
				all = append(all, v)
			}
		}
	default:
		all = append(all, scalars(x, o)...)
	}
	return distinct(all)
}

func distinct(values []any) []any {
	seen := map[string]bool{}
	var all []any
	for _, v := range values {
		if text := encode(v); !seen[text] && len(all) < maxCandidates {
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
	if n > maxSampleItems {
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

// lengths returns the lengths at the bounds and just beyond.
func lengths(bounds ...*int) []int {
	all := []int{0, 1, 2}
	for _, b := range bounds {
		if b != nil {
			all = append(all, *b, *b+1, max(0, *b-1))
		}
	}
	return all
}

// scalars returns values at the limits of two schemas.
func scalars(from, other *schema.Schema) []any {
	var all []any
	for _, x := range []*schema.Schema{from, other} {
		all = append(all, validValues(x)...)
		for _, e := range x.Examples {
			all = append(all, decode(e.JSON))
		}
		if x.Default != nil {
			all = append(all, decode(x.Default.JSON))
		}
	}
	switch from.Kind {
	case schema.Boolean:
		all = append(all, true, false)
	case schema.String:
		all = append(all, texts(from, other)...)
	case schema.Integer, schema.Number:
		all = append(all, numbers(from, other)...)
	}
	return all
}

// formatSamples are values of each format: the first is ordinary, others are barely valid.
var formatSamples = map[schema.Format][]string{
	schema.DateTime:  {"2026-03-01T09:30:00Z", "2026-03-01T09:30:00.123456789+01:00"},
	schema.UUID:      {"5f0c6f6e-3d0b-4a52-9d5e-0b8a7c1d2e3f"},
	schema.Date:      {"2026-03-01"},
	schema.TimeOfDay: {"09:30:00Z", "09:30:00.5+01:00"},
	schema.Duration:  {"P1D", "PT1H30M", "P" + strings.Repeat("1", 70) + "D"},
	schema.Byte:      {"AAAA", "", "+/8=", "AA=="},
	schema.Decimal:   {"99.90", "-1.5", "0"},
	schema.URI:       {"https://example.com/a?b=c#d", "urn:isbn:0451450523"},
	schema.Email:     {"ada@example.com"},
	schema.Hostname:  {"example.com", "localhost"},
	schema.IPv4:      {"192.0.2.1"},
	schema.IPv6:      {"2001:db8::1", "::"},
}

func texts(from, other *schema.Schema) []any {
	var all []any
	add := func(s string) { all = append(all, s) }
	for _, p := range []string{from.Pattern, other.Pattern} {
		for _, s := range matching(p) {
			add(s)
			for _, n := range lengths(from.MinLength, from.MaxLength, other.MinLength, other.MaxLength) {
				if pad := n - len([]rune(s)); pad > 0 && n <= maxSampleText {
					add(s + strings.Repeat(s[max(0, len(s)-1):], pad)) // longer, with its last character repeated
				}
			}
		}
	}
	for _, f := range []schema.Format{from.Format, other.Format} {
		for _, s := range formatSamples[f] {
			add(s)
		}
	}
	for _, n := range lengths(from.MinLength, from.MaxLength, other.MinLength, other.MaxLength) {
		if n > maxSampleText {
			continue
		}
		add(strings.Repeat("a", n))
		add(strings.Repeat("0", n))
		add(strings.Repeat("é", n))
		if n > 20 {
			add("https://example.com/" + strings.Repeat("a", n-20))
			add("P" + strings.Repeat("1", n-2) + "D")
		}
		if n > 12 {
			add(strings.Repeat("a", min(n-12, 60)) + "@example.com")
		}
	}
	add(" ?!")
	add("Aa1_-.")
	for f := schema.DateTime; f <= schema.IPv6; f++ {
		for _, s := range formatSamples[f] {
			add(s)
		}
	}
	return all
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
