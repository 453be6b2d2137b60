package draft

import "github.com/babelqueue/bqgen/schema/internal/source"

// oneOf reads the entries of a oneOf.
func (r *Reader) oneOf(d *Draft, n *source.Node) []*Draft {
	return entries(n, func(item *source.Node) *Draft { return r.draft(item, d.Root, "an entry of oneOf", Elsewhere) })
}

// anyOf reads the entries of an anyOf.
func (r *Reader) anyOf(d *Draft, n *source.Node) []*Draft {
	return entries(n, func(item *source.Node) *Draft { return r.draft(item, d.Root, "an entry of anyOf", Elsewhere) })
}

// IsNull reports whether the draft allows null and nothing else.
func (d *Draft) IsNull() bool { return d.Types == NullType && !d.Constrains("type") }
