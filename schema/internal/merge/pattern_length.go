package merge

import (
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
)

// text merges the keywords of strings, except for format.
func (b *builder) text(s *schema.Schema, g *group) {
	var patterns []string
	for _, p := range g.parts {
		s.MinLength = larger(s.MinLength, p.MinLength)
		s.MaxLength = smaller(s.MaxLength, p.MaxLength)
		if p.Pattern != "" {
			patterns = append(patterns, p.Pattern)
			s.Pattern = p.Pattern
		}
	}
	b.ordered(g, "minLength", s.MinLength, "maxLength", s.MaxLength)
	if patterns = sortedSet(patterns); len(patterns) > 1 {
		s.Pattern = patterns[0]
		for _, other := range patterns[1:] {
			s.Rules = append(s.Rules, schema.Rule{Pos: s.Pos, Schema: jsonobj.Object{{Name: "pattern", Value: other}}})
		}
	}
}

// ordered reports a lower bound above the upper.
func (b *builder) ordered(g *group, lowName string, low *int, highName string, high *int) {
	if low != nil && high != nil && *low > *high {
		b.contradiction(g, highName, lowName, "%s %d is more than %s %d", lowName, *low, highName, *high)
	}
}

// larger returns the larger of two bounds; nil is no bound.
func larger(a, b *int) *int {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// smaller returns the smaller of two bounds; nil is no bound.
func smaller(a, b *int) *int {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}
