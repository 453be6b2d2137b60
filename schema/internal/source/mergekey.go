package source

import (
	"slices"

	"github.com/babelqueue/bqgen/schema"
)

func isMerge(key *Node) bool { return key.Plain && key.Text == "<<" }

// mergeKeys replaces the merge key of a mapping by the pairs that it brings in, in its place. As YAML defines it, the
// mapping's own keys win over merged ones, and of several merged mappings the first wins.
func (p *parser) mergeKeys(n *Node, own map[string]*Node) {
	var merged []Pair
	for _, pair := range n.Pairs {
		if !isMerge(pair.Key) {
			merged = append(merged, pair)
			continue
		}
		for _, from := range p.mergeSources(pair.Value) {
			for _, m := range from.Pairs {
				if own[m.Key.Text] == nil {
					own[m.Key.Text] = m.Key
					merged = append(merged, m)
				}
			}
		}
	}
	n.Pairs = slices.Clip(merged)
}

// mergeSources returns the mappings that a merge key brings in.
func (p *parser) mergeSources(value *Node) []*Node {
	sources := []*Node{value}
	if value.Kind == Sequence {
		sources = value.Items
	}
	var mappings []*Node
	for _, s := range sources {
		switch s.Kind {
		case Bad:
		case Mapping:
			mappings = append(mappings, s)
		default:
			p.Report(s.Pos, schema.RuleMerge, "<<: *anchor, or <<: [*first, *second]",
				"<< takes a mapping or a list of mappings, this is %s", s.Describe())
		}
	}
	return mappings
}
