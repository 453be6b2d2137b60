package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// oneOf reads the entries of a oneOf. One of them may be null alone.
func (r *Reader) oneOf(d *Draft, n *source.Node) []*Draft {
	const what = "an entry of oneOf"
	return entries(n, func(item *source.Node) *Draft {
		if isNullSchema(item) {
			r.drafts++
			null := schema.Schema{Pos: item.Pos}
			return &Draft{Schema: null, ID: r.drafts, Node: item, Root: d.Root, What: what, Types: NullType}
		}
		return r.draft(item, d.Root, what, Elsewhere)
	})
}

// isNullSchema reports whether n is {type: "null"}.
func isNullSchema(n *source.Node) bool {
	t := n.Get("type")
	return t != nil && len(n.Pairs) == 1 && t.IsQuoted("null")
}

// IsNull reports whether the draft allows null and nothing else.
func (d *Draft) IsNull() bool { return d.Types == NullType }
