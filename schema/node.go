package schema

import "slices"

// A nodeKind is the shape of a node.
type nodeKind int

const (
	// badNode stands where a value could not be taken over and was reported. Whoever meets one
	// gives up without another finding.
	badNode nodeKind = iota
	scalarNode
	sequenceNode
	mappingNode
)

// A node is a value of a catalog file with its place. Anchors, aliases and merge keys are resolved; what an
// anchor holds is shared by all who refer to it, so nodes are never changed once made.
type node struct {
	pos   Pos // of a scalar alias its own place, else that of the text
	kind  nodeKind
	text  string // scalar: its text without quotes
	plain bool   // scalar: written without quotes, so that YAML gives the text a type
	items []*node
	pairs []pair
	// flawed: something in it could not be taken over and was reported, so that what is here is
	// not all that was meant.
	flawed bool
	size   int // nodes in all when aliases are written out
	depth  int // levels below, itself included
}

// A pair is a member of a mapping. Its key is a scalar.
type pair struct {
	key   *node
	value *node
}

// get finds a member of a mapping.
func (n *node) get(key string) *node {
	for _, p := range n.pairs {
		if p.key.text == key {
			return p.value
		}
	}
	return nil
}

// hasOther reports whether a mapping has a key beside those.
func (n *node) hasOther(keys []string) bool {
	return slices.ContainsFunc(n.pairs, func(p pair) bool { return !slices.Contains(keys, p.key.text) })
}

// describe names the kind of value for a message.
func (n *node) describe() string {
	switch n.kind {
	case mappingNode:
		return "a mapping"
	case sequenceNode:
		return "a list"
	}
	if !n.plain {
		return "the string " + quote(n.text)
	}
	switch classifyPlain(n.text) {
	case plainNull:
		switch n.text {
		case "":
			return "nothing"
		case "null":
			return "null"
		}
		return n.text + ", which is null in YAML"
	case plainBool:
		return n.text
	case plainNumber:
		return "the number " + cut(n.text)
	case plainOther:
		return cut(n.text) + ", which is not a string to every YAML reader"
	}
	return quote(n.text)
}
