package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// readOnlyKeyword warns of readOnly and writeOnly, which have no effect.
func (r *Reader) readOnlyKeyword(p source.Pair) {
	if name := p.Key.Text; r.Bool(p.Value, name) {
		r.Warn(p.Key.Pos, schema.RuleIgnored, "a message has one direction: leave it out", "%s is ignored", name)
	}
}
