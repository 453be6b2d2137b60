package draft

import "github.com/babelqueue/bqgen/schema/internal/source"

func (r *Reader) uniqueItemsKeyword(d *Draft, n *source.Node) {
	d.UniqueItems = r.Bool(n, "uniqueItems")
}
