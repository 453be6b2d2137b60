package draft

import "github.com/babelqueue/bqgen/schema/internal/source"

// countKeyword reads minProperties, maxProperties, minItems, maxItems, minLength and maxLength.
func (r *Reader) countKeyword(d *Draft, name string, n *source.Node) {
	count := r.Count(n, name)
	switch name {
	case "minProperties":
		d.MinProperties = count
	case "maxProperties":
		d.MaxProperties = count
	case "minItems":
		d.MinItems = count
	case "maxItems":
		d.MaxItems = count
	case "minLength":
		d.MinLength = count
	case "maxLength":
		d.MaxLength = count
	}
}
