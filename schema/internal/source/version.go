package source

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// FormatVersion takes bqgen: 1, the version of the catalog's format.
func (e Expect) FormatVersion(n *Node) {
	switch {
	case n.Kind == Bad:
	case n.Kind != Scalar || !n.Plain && n.Text != "1":
		e.Report(n.Pos, schema.RuleWrongType, "bqgen: 1", "bqgen must be the format version 1, this is %s", n.Describe())
	case !n.Plain:
		e.Report(n.Pos, schema.RuleWrongType, "remove the quotes", "bqgen must be the number 1, this is %s", n.Describe())
	case n.Text != "1":
		e.Report(n.Pos, schema.RuleVersion, "this bqgen knows format 1 only",
			"catalog format %s is not supported", text.Quote(n.Text))
	}
}
