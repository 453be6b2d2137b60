package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A Ref is a $ref. Package link follows it.
type Ref struct {
	Pos  schema.Pos
	Text string
	From *Root
	To   *Root // nil until it was followed, and when it leads nowhere
}

func (r *Reader) refKeyword(d *Draft, n *source.Node) {
	d.Ref = &Ref{Pos: n.Pos, From: d.Root}
	r.refs[refKey{d.Root, n}] = d.Ref
	target, ok := r.Text(n, "$ref")
	if !ok {
		return
	}
	d.Ref.Text = target
	d.Root.Refs = append(d.Root.Refs, d.Ref)
	r.Refs = append(r.Refs, d.Ref)
}

// refBeside makes a $ref with other keywords that limit the value what it means: an allOf of both.
func (r *Reader) refBeside(d *Draft) {
	alone := &source.Node{Pos: d.Node.Pos, Kind: source.Mapping}
	for _, p := range d.Node.Pairs {
		if p.Key.Text == "$ref" {
			alone.Pairs = []source.Pair{p}
		}
	}
	r.drafts++
	ref := &Draft{ID: r.drafts, Node: alone, Root: d.Root, What: d.What, Ref: d.Ref}
	ref.Pos = d.Pos
	d.Ref, d.AllOf = nil, append([]*Draft{ref}, d.AllOf...)
}
