package draft

import "github.com/babelqueue/bqgen/schema/internal/source"

// textKeyword reads title and description.
func (r *Reader) textKeyword(d *Draft, name string, n *source.Node) {
	s, _ := r.Text(n, name)
	if name == "title" {
		d.Title = s
	} else {
		d.Description = s
	}
}
