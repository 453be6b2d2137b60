package merge

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

// array merges the keywords of arrays: items, minItems, maxItems, uniqueItems.
func (b *builder) array(s *schema.Schema, g *group) {
	var items []*draft.Draft
	isTuple := false
	for _, p := range g.parts {
		if p.Node.Get("prefixItems") != nil || p.ValuesRule != "" {
			isTuple = true // a rule says what they are
		} else if p.Item != nil {
			items = append(items, p.Item)
		}
		s.MinItems = larger(s.MinItems, p.MinItems)
		s.MaxItems = smaller(s.MaxItems, p.MaxItems)
		s.UniqueItems = s.UniqueItems || p.UniqueItems
	}
	b.ordered(g, "minItems", s.MinItems, "maxItems", s.MaxItems)
	if len(items) > 0 {
		s.Items = b.inside(g, items...)
		return
	}
	s.Items = &schema.Schema{Pos: s.Pos, Kind: schema.Any}
	if !isTuple && g.doubt.MayContradict() && g.doubt.MayMiss() {
		b.Warn(s.Pos, schema.RuleMissingItems, "items: {type: string}, or items: {} for any",
			"%s is an array without items", g.what)
	}
}
