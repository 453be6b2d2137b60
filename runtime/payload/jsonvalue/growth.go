package jsonvalue

import (
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
)

// A schema that refers to itself from several branches is evaluated once for each branch, and inside each of these once
// more for each branch: a value inside n others of its kind costs branches to the power of n. So that a payload cannot
// keep a consumer busy, that has a limit: this much for each value of the payload, and so much in all.
const (
	maxGrowthEach = 32
	maxGrowth     = 1 << 13
)

// grows reports whether it takes too long to check a value.
func grows(v any, branches int) bool {
	if branches < 2 {
		return false
	}
	cost, values := 0, 0
	var add func(v any, each int)
	add = func(v any, each int) {
		values++
		cost += each
		inner := min(each*branches, maxGrowth+1)
		if cost > maxGrowth+maxGrowthEach*values && each > maxGrowthEach {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for _, member := range v {
				add(member, inner)
			}
		case []any:
			for _, item := range v {
				add(item, inner)
			}
		}
	}
	add(v, 1)
	return cost > maxGrowth+maxGrowthEach*values
}

// A node is a schema in a document.
type node struct {
	here, inside []*node // schemas for the same value, and for values inside it
	again        int     // how many keywords may look at the same value inside it
	order, low   int
	onStack      bool
	circle       int // nodes of one circle of references have the same number
	count        int // of branches; 0 while it is not known
}

// A graph is the schemas of a document.
type graph struct {
	defs  map[string]any
	named map[string]*node
	top   any
	all   []*node

	stack           []*node
	orders, circles int
}

// branchesOf returns how many times a schema looks at the same value inside the one at hand, when it refers to itself
// there; 1 or 0 for a schema that does so in one branch or in none.
func branchesOf(document any) int {
	top, _ := document.(map[string]any)
	defs, _ := top["$defs"].(map[string]any)
	g := &graph{defs: defs, named: map[string]*node{}, top: document}
	g.ref("#")
	for _, n := range g.all {
		if n.order == 0 {
			g.connect(n)
		}
	}
	most := 0
	for _, n := range g.all {
		most = max(most, n.branches())
	}
	return most
}

// ref returns what a reference leads to.
func (g *graph) ref(ref string) *node {
	if n := g.named[ref]; n != nil {
		return n
	}
	n := &node{}
	g.named[ref] = n
	to := g.top
	if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
		name, _ = pointer.Unescape(name)
		to = g.defs[name]
	}
	g.fill(n, to)
	return n
}

func (g *graph) add(v any) *node {
	n := &node{}
	g.fill(n, v)
	return n
}

var (
	hereKeywords   = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"}
	insideKeywords = []string{
		"properties", "additionalProperties", "patternProperties", "items", "prefixItems", "contains",
		"unevaluatedProperties", "unevaluatedItems",
	}
	overlapping = []string{"patternProperties", "contains"} // look at values that other keywords look at as well
)

func (g *graph) fill(n *node, v any) {
	g.all = append(g.all, n)
	s, _ := v.(map[string]any)
	n.again = 1
	for keyword, value := range s {
		switch {
		case keyword == "$ref":
			ref, _ := value.(string)
			n.here = append(n.here, g.ref(ref))
		case slices.Contains(hereKeywords, keyword):
			n.here = append(n.here, g.schemas(keyword, value)...)
		case slices.Contains(insideKeywords, keyword):
			n.inside = append(n.inside, g.schemas(keyword, value)...)
			if slices.Contains(overlapping, keyword) {
				n.again++
			}
		}
	}
}

// schemas returns the schemas in the value of a keyword: one, a list, or some by name.
func (g *graph) schemas(keyword string, v any) (all []*node) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			all = append(all, g.add(item))
		}
	case map[string]any:
		if keyword != "properties" && keyword != "patternProperties" && keyword != "dependentSchemas" {
			return []*node{g.add(v)}
		}
		for _, item := range v {
			all = append(all, g.add(item))
		}
	}
	return all
}

// connect finds the circles of references that a node is in, by Tarjan's algorithm.
func (g *graph) connect(n *node) {
	g.orders++
	n.order, n.low, n.onStack = g.orders, g.orders, true
	g.stack = append(g.stack, n)
	for _, next := range slices.Concat(n.here, n.inside) {
		if next.order == 0 {
			g.connect(next)
			n.low = min(n.low, next.low)
		} else if next.onStack {
			n.low = min(n.low, next.order)
		}
	}
	if n.low < n.order {
		return
	}
	g.circles++
	for {
		last := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		last.onStack, last.circle = false, g.circles
		if last == n {
			return
		}
	}
}

// maxBranches bounds a count that would grow beyond an int.
const maxBranches = 1000

// branches returns how often schemas of the node's circle look at the same value inside the one at hand.
func (n *node) branches() int {
	if n.count > 0 {
		return n.count - 1
	}
	n.count = 1 // a schema that is inside itself for the same value does not end, which the validator reports
	total := 0
	if slices.ContainsFunc(n.inside, func(inner *node) bool { return inner.circle == n.circle }) {
		total = n.again
	}
	for _, other := range n.here {
		if other.circle == n.circle {
			total = min(total+other.branches(), maxBranches)
		}
	}
	n.count = total + 1
	return total
}
