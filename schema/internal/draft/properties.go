package draft

import (
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/internal/trust"
)

// properties reads the schemas of the properties of an object.
func (r *Reader) properties(d *Draft, n *source.Node) {
	if n.Kind != source.Mapping {
		d.Doubt |= trust.Partial // reported
		return
	}
	d.Members = make([]Member, len(n.Pairs))
	for i, p := range n.Pairs {
		d.Members[i] = Member{
			Name: p.Key.Text, Pos: p.Key.Pos,
			Schema: r.draft(p.Value, d.Root, describeProperty(p.Key.Text), AtProperty),
		}
	}
}
