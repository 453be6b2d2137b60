package source

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// resolveKeys brings the pairs of a mapping into the form that the stages rely on: scalar keys, each once, and merge
// keys (<<) replaced by the pairs that they bring in.
func (p *parser) resolveKeys(n *Node) {
	own := make(map[string]*Node, len(n.Pairs))
	var merge *Node
	kept := n.Pairs[:0]
	for _, pair := range n.Pairs {
		name, ok := p.keyText(pair.Key)
		if !ok {
			p.reader.Places.drop(pair.Key)
			continue
		}
		first := own[name]
		if isMerge(pair.Key) {
			first = merge
		}
		switch {
		case first != nil:
			p.Report(pair.Key.Pos, schema.RuleDuplicate, duplicateHint(pair.Key),
				"duplicate key %s: the first is on line %d", text.Quote(name), first.Pos.Line)
			p.reader.Places.drop(pair.Key)
			continue
		case isMerge(pair.Key):
			merge = pair.Key
		default:
			own[name] = pair.Key
		}
		kept = append(kept, pair)
	}
	n.Pairs = kept
	if merge != nil {
		p.mergeKeys(n, own)
	}
}

func duplicateHint(key *Node) string {
	if isMerge(key) {
		return "merge several mappings with a list: <<: [*a, *b]"
	}
	return "keep one of the two"
}

// keyText returns the text of a key. Keys are compared by it: on, 010 and 1.10 are taken as written.
func (p *parser) keyText(k *Node) (string, bool) {
	switch {
	case k.Kind == Bad:
		return "", false
	case k.Kind != Scalar:
		p.Report(k.Pos, schema.RuleBadKey, "", "a key must be text, this is %s", k.Describe())
		return "", false
	case k.Plain && ClassifyPlain(k.Text) == PlainNull:
		p.Report(k.Pos, schema.RuleBadKey, `quote it: "`+k.Text+`"`, "a key must be text, this is %s", k.Describe())
		return "", false
	}
	return k.Text, true
}
