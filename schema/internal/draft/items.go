package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// itemsKeyword refuses a list. The schema is read later.
func (r *Reader) itemsKeyword(n *source.Node) {
	if n.Kind == source.Sequence {
		r.Report(n.Pos, schema.RuleWrongType, "one schema for all items; for a tuple use an object with properties",
			"items must be a schema, this is a list")
	}
}
