package draft

import "github.com/babelqueue/bqgen/schema/internal/source"

// deprecatedKeyword reads deprecated of a schema. That of a URN is read by package load.
func (r *Reader) deprecatedKeyword(d *Draft, n *source.Node) { d.Deprecated = r.Bool(n, "deprecated") }
