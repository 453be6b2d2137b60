package importer

import (
	"strings"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A dialect is a version of JSON Schema, as far as versions differ.
type dialect int

const (
	draft4 dialect = iota
	draft7         // 06 and 07: $ref stands alone
	draft2019
	newest
)

// dialectOf returns the draft of a schema that stands in one of another. The $schemas of others, such as that of Iglu,
// are taken for draft 04, on which they build.
func dialectOf(n *source.Node, around dialect) dialect {
	s := n.Get("$schema")
	if s == nil || !isText(s) {
		return around
	}
	switch uri := s.Text; {
	case strings.Contains(uri, "draft/2020-12"), strings.Contains(uri, "draft/next"):
		return newest
	case strings.Contains(uri, "draft/2019-09"):
		return draft2019
	case strings.Contains(uri, "draft-06"), strings.Contains(uri, "draft-07"):
		return draft7
	}
	return draft4
}

// modern returns the keywords of a schema in the words of draft 2020-12.
func modern(n *source.Node, d dialect) []source.Pair {
	if d <= draft7 && n.Get("$ref") != nil {
		return alone(n)
	}
	var pairs []source.Pair
	for _, p := range n.Pairs {
		switch key := p.Key.Text; {
		case d == draft4 && isBool(p.Value) && (key == "exclusiveMinimum" || key == "exclusiveMaximum"):
			continue // part of minimum or maximum
		case d == draft4 && key == "minimum" && isTrue(n.Get("exclusiveMinimum")):
			p = renamed(p, "exclusiveMinimum")
		case d == draft4 && key == "maximum" && isTrue(n.Get("exclusiveMaximum")):
			p = renamed(p, "exclusiveMaximum")
		case key == "items" && p.Value.Kind == source.Sequence:
			p = renamed(p, "prefixItems")
		case key == "additionalItems":
			if items := n.Get("items"); items == nil || items.Kind != source.Sequence || d == newest {
				continue // means nothing
			}
			p = renamed(p, "items")
		case key == "dependencies":
			pairs = append(pairs, dependencies(p)...)
			continue
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// alone returns a $ref as drafts up to 07 understand it: without what stands next to it, except for text.
func alone(n *source.Node) []source.Pair {
	var pairs []source.Pair
	for _, p := range n.Pairs {
		if key := p.Key.Text; key == "$ref" || annotations[key] {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// dependencies splits the keyword of older drafts in two.
func dependencies(p source.Pair) []source.Pair {
	if p.Value.Kind != source.Mapping {
		return []source.Pair{renamed(p, "dependentSchemas")}
	}
	var names, schemas []source.Pair
	for _, member := range p.Value.Pairs {
		if member.Value.Kind == source.Sequence {
			names = append(names, member)
		} else {
			schemas = append(schemas, member)
		}
	}
	var pairs []source.Pair
	add := func(key string, members []source.Pair) {
		if len(members) > 0 {
			value := &source.Node{Pos: p.Value.Pos, Kind: source.Mapping, Pairs: members}
			pairs = append(pairs, renamed(source.Pair{Key: p.Key, Value: value}, key))
		}
	}
	add("dependentRequired", names)
	add("dependentSchemas", schemas)
	return pairs
}

func renamed(p source.Pair, key string) source.Pair {
	return source.Pair{Key: textNode(p.Key.Pos, key), Value: p.Value}
}

func textNode(at schema.Pos, s string) *source.Node {
	return &source.Node{Pos: at, Kind: source.Scalar, Text: s}
}

func isBool(n *source.Node) bool { return n != nil && (n.IsText("true") || n.IsText("false")) }

func isTrue(n *source.Node) bool { return n != nil && n.IsText("true") }
