package source

import (
	"strings"
	"unicode/utf8"

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

// isOtherKey reports a key that some YAML readers take for null, a boolean, a number or a date. Few take y and n for
// booleans, and they are the names of many things.
func isOtherKey(word string) bool {
	return ClassifyPlain(word) != PlainString && !(len(word) == 1 && strings.Contains("yYnN", word))
}

// keyText returns the text of a key, by which keys are compared.
func (p *parser) keyText(k *Node) (string, bool) {
	switch {
	case k.Kind == Bad:
		return "", false
	case k.Kind != Scalar:
		p.Report(k.Pos, schema.RuleBadKey, "", "a key must be text, this is %s", k.Describe())
		return "", false
	case k.Plain && !isMerge(k) && isOtherKey(k.Text):
		p.Report(k.Pos, schema.RuleBadKey, `quote it: "`+k.Text+`"`, "a key must be text, this is %s", k.Describe())
		return k.Text, ClassifyPlain(k.Text) != PlainNull // else it would be a missing name as well
	}
	return k.Text, p.checkLength(k)
}

// checkLength reports a key that is too long.
func (p *parser) checkLength(k *Node) bool {
	most := p.reader.LongestKey
	if most == 0 || len(k.Text) <= most || utf8.RuneCountInString(k.Text) <= most {
		return true
	}
	p.Report(k.Pos, schema.RuleTooLarge, "shorten it", "the key has more than %d characters", most)
	return false
}
