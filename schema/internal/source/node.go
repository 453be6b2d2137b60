package source

import (
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// A Kind is the shape of a node.
type Kind uint8

// The kinds.
const (
	// Bad stands for a value that could not be read and was reported. Whoever meets one gives up without a finding.
	Bad Kind = iota
	Scalar
	Sequence
	Mapping
)

// A Node is a value of a catalog file with its place. Anchors, aliases and merge keys are resolved. All aliases of an
// anchor share its node, so nodes never change once they are made.
type Node struct {
	Pos   schema.Pos // of an alias of a scalar, the alias; else the value
	Kind  Kind
	Plain bool // a Scalar without quotes, whose text decides its type
	// Doubt is Partial when something in the node could not be read and was reported.
	Doubt trust.Doubt

	Text  string  // of a Scalar, without quotes
	Items []*Node // of a Sequence
	Pairs []Pair  // of a Mapping

	// Comment is the comment behind a value that was left out, when no blank follows its #.
	Comment string

	size  int32 // number of nodes when aliases are written out
	depth int32 // levels, itself included
}

// A Pair is a member of a mapping. Its key is a scalar.
type Pair struct {
	Key   *Node
	Value *Node
}

// Get returns the value of a key, or nil.
func (n *Node) Get(key string) *Node {
	for _, p := range n.Pairs {
		if p.Key.Text == key {
			return p.Value
		}
	}
	return nil
}

// HasOther reports whether a mapping has a key besides those.
func (n *Node) HasOther(keys []string) bool {
	return slices.ContainsFunc(n.Pairs, func(p Pair) bool { return !slices.Contains(keys, p.Key.Text) })
}

// KeyPos returns where a key of a mapping stands, or false.
func (n *Node) KeyPos(key string) (schema.Pos, bool) {
	for _, p := range n.Pairs {
		if p.Key.Text == key {
			return p.Key.Pos, true
		}
	}
	return schema.Pos{}, false
}

// IsPartial reports whether something in the node could not be read and was reported.
func (n *Node) IsPartial() bool { return n.Doubt&trust.Partial != 0 }

// IsText reports whether the node is this text without quotes, such as true, null or an empty value.
func (n *Node) IsText(plain string) bool { return n.Kind == Scalar && n.Plain && n.Text == plain }

// IsQuoted reports whether the node is one of these texts in quotes.
func (n *Node) IsQuoted(texts ...string) bool {
	return n.Kind == Scalar && !n.Plain && slices.Contains(texts, n.Text)
}

// Describe names the value for a message.
func (n *Node) Describe() string {
	switch n.Kind {
	case Mapping:
		return "a mapping"
	case Sequence:
		return "a list"
	}
	if !n.Plain {
		return "the string " + text.Quote(n.Text)
	}
	switch ClassifyPlain(n.Text) {
	case PlainNull:
		switch n.Text {
		case "":
			return "nothing"
		case "null":
			return "null"
		}
		return n.Text + ", which is null in YAML"
	case PlainBool:
		return n.Text
	case PlainNumber:
		return "the number " + text.Short(n.Text)
	case PlainAmbiguous:
		return text.Short(n.Text) + ", on which YAML parsers disagree"
	}
	return text.Quote(n.Text)
}

// textOfOne is how many bytes of a text weigh as much as a value.
const textOfOne = 256

// Weight returns what copies of n cost: the number of values in it, itself included. A long text counts as several.
func (n *Node) Weight() int {
	weight := 1 + len(n.Text)/textOfOne
	for _, p := range n.Pairs {
		weight += len(p.Key.Text)/textOfOne + p.Value.Weight()
	}
	for _, item := range n.Items {
		weight += item.Weight()
	}
	return weight
}
