package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// additionalPropertiesKeyword reads false and true. A schema is read later.
func (r *Reader) additionalPropertiesKeyword(d *Draft, n *source.Node) {
	switch {
	case n.Kind == source.Mapping, n.IsText("true"):
		d.Additional = schema.AdditionalKept
	case n.IsText("false"):
		d.Additional = schema.AdditionalForbidden
	case n.Kind != source.Bad:
		r.Report(n.Pos, schema.RuleWrongType, "",
			"additionalProperties must be false, true or a schema, this is %s", n.Describe())
	}
}
