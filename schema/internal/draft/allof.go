package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// isSchemaList reports anything but a list with entries, for allOf and oneOf. The entries are read later.
func (r *Reader) isSchemaList(n *source.Node, name string) {
	if r.IsList(n, name) && len(n.Items) == 0 {
		r.Report(n.Pos, schema.RuleWrongType, "list schemas, or leave it out", "%s is empty", name)
	}
}

// allOf reads the entries of an allOf.
func (r *Reader) allOf(d *Draft, n *source.Node) []*Draft {
	return entries(n, func(item *source.Node) *Draft { return r.draft(item, d.Root, "an entry of allOf", Elsewhere) })
}

// entries reads the entries of a list of schemas.
func entries(n *source.Node, read func(*source.Node) *Draft) []*Draft {
	if n.Kind != source.Sequence {
		return nil
	}
	drafts := make([]*Draft, len(n.Items))
	for i, item := range n.Items {
		drafts[i] = read(item)
	}
	return drafts
}
