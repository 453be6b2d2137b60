package draft

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// defsKeyword checks $defs, the named schemas of a payload.
func (r *Reader) defsKeyword(d *Draft, p source.Pair) {
	if d.Site == AtData || d.Site == AtFile {
		r.IsMapping(p.Value, "$defs")
		return
	}
	r.Report(p.Key.Pos, schema.RuleMisplacedKeyword,
		"put shared schemas under types, or into the $defs at the top of data", "$defs stands at the top of data only")
}

// readDefs reads the $defs of a payload.
func (r *Reader) readDefs(root *Root, n *source.Node) {
	s := root.Scope.Defs
	*s = *NewSection(true, n)
	for _, p := range n.Pairs {
		r.NamedType(s, p, root.Scope)
	}
}
