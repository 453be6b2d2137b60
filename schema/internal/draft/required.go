package draft

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

func (r *Reader) requiredKeyword(d *Draft, n *source.Node) {
	if n.Kind == source.Scalar && (n.Text == "true" || n.Text == "false") {
		r.Report(n.Pos, schema.RuleWrongType,
			"required is a list on the object that has the property: required: [name]",
			"required must be a list, this is %s", n.Text)
		return
	}
	if !r.IsList(n, "required") {
		return
	}
	seen := make(map[string]bool, len(n.Items))
	for _, item := range n.Items {
		name, ok := r.Name(item, "an entry of required")
		switch {
		case !ok:
		case seen[name]:
			r.Report(item.Pos, schema.RuleRequired, "keep one of the two", "required names %s twice", text.Quote(name))
		default:
			seen[name] = true
			d.Required = append(d.Required, RequiredName{name, item.Pos})
		}
	}
}
