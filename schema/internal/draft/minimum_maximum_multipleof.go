package draft

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// numberKeyword reads minimum, maximum, exclusiveMinimum, exclusiveMaximum and multipleOf.
func (r *Reader) numberKeyword(d *Draft, name string, n *source.Node) {
	num := r.Number(n, name)
	switch name {
	case "minimum":
		d.Minimum = num
	case "maximum":
		d.Maximum = num
	case "exclusiveMinimum":
		d.ExclusiveMinimum = num
	case "exclusiveMaximum":
		d.ExclusiveMaximum = num
	case "multipleOf":
		if num != nil && num.Rat().Sign() <= 0 {
			r.Report(n.Pos, schema.RuleBound, "", "multipleOf is %s, it must be greater than 0", text.Short(num.Text))
			return
		}
		d.MultipleOf = num
	}
}
