package schema

import "slices"

// settleKeys makes the pairs of a mapping what the rest of the loader relies on: scalar keys, each once, merge
// keys (<<) replaced by what they bring in. As YAML defines it, the mapping's own keys win over merged ones and of
// several merged mappings the first wins. What is merged takes the place of its <<.
func (l *loader) settleKeys(n *node) {
	own := make(map[string]*node, len(n.pairs))
	var merge *node
	kept := n.pairs[:0]
	for _, p := range n.pairs {
		text, ok := l.keyText(p.key)
		if !ok {
			continue
		}
		first := own[text]
		if isMerge(p.key) {
			first = merge
		}
		switch {
		case first != nil:
			l.report(p.key.pos, ruleDuplicate, duplicateHint(p.key), "duplicate key %s: the first is on line %d", quote(text), first.pos.Line)
			continue
		case isMerge(p.key):
			merge = p.key
		default:
			own[text] = p.key
		}
		kept = append(kept, p)
	}
	n.pairs = kept
	if merge != nil {
		l.merge(n, own)
	}
}

func isMerge(key *node) bool { return key.plain && key.text == "<<" }

func duplicateHint(key *node) string {
	if isMerge(key) {
		return "merge several mappings with a list: <<: [*a, *b]"
	}
	return "keep one of the two"
}

// keyText gives the text of a key, by which keys are compared: on, 010 and 1.10 are taken as written.
func (l *loader) keyText(k *node) (string, bool) {
	switch {
	case k.kind == badNode:
		return "", false
	case k.kind != scalarNode:
		l.report(k.pos, ruleBadKey, "", "a key must be text, this is %s", k.describe())
		return "", false
	case k.plain && classifyPlain(k.text) == plainNull:
		l.report(k.pos, ruleBadKey, `quote it: "`+k.text+`"`, "a key must be text, this is %s", k.describe())
		return "", false
	}
	return k.text, true
}

func (l *loader) merge(n *node, own map[string]*node) {
	var merged []pair
	for _, p := range n.pairs {
		if !isMerge(p.key) {
			merged = append(merged, p)
			continue
		}
		for _, source := range l.mergeSources(p.value) {
			for _, m := range source.pairs {
				if own[m.key.text] == nil {
					own[m.key.text] = m.key
					merged = append(merged, m)
				}
			}
		}
	}
	n.pairs = slices.Clip(merged)
}

func (l *loader) mergeSources(value *node) []*node {
	sources := []*node{value}
	if value.kind == sequenceNode {
		sources = value.items
	}
	var mappings []*node
	for _, s := range sources {
		switch s.kind {
		case badNode:
		case mappingNode:
			mappings = append(mappings, s)
		default:
			l.report(s.pos, ruleMerge, "<<: *anchor, or <<: [*first, *second]", "<< takes a mapping or a list of mappings, this is %s", s.describe())
		}
	}
	return mappings
}
