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

// refSiblings reports keywords next to $ref that would change which values are valid: only annotations may stand there.
func (r *Reader) refSiblings(n *source.Node) {
	for _, p := range n.Pairs {
		name := p.Key.Text
		types, known := keywordTypes[name]
		combines := name == "allOf" || name == "oneOf" || name == "anyOf"
		if !known || name == "$ref" || types == 0 && name != "type" && !combines {
			continue // an annotation, or reported
		}
		hint := "move it to the type that is referred to, or merge both: allOf: [{$ref: ...}, {" + name + ": ...}]"
		if combines {
			hint = "make the $ref one of its entries"
		}
		r.Report(p.Key.Pos, schema.RuleRefSiblings, hint, "%s cannot stand beside $ref", name)
	}
}
