package draft

import (
	"go/token"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// goNameKeyword reads x-go-name, an exported Go identifier.
func (r *Reader) goNameKeyword(d *Draft, p source.Pair) {
	switch d.Site {
	case AtData:
		r.Report(p.Key.Pos, schema.RuleMisplacedKeyword, "use name: of the URN", "x-go-name does not name a payload")
		return
	case Elsewhere:
		r.Report(p.Key.Pos, schema.RuleMisplacedKeyword, "put the schema under types or $defs, and name it there",
			"x-go-name stands at a property or a named type only")
		return
	}
	name, ok := r.Text(p.Value, "x-go-name")
	if !ok {
		return
	}
	if r.IsGoName(p.Value.Pos, "x-go-name", name) {
		d.GoName, d.GoNamePos = name, p.Value.Pos
	}
}

// maxGoName is how many bytes a Go name may have. The names of what is inside a type start with the type's.
const maxGoName = 255

// IsGoName reports a name that is not an exported Go identifier, or too long.
func (r *Reader) IsGoName(pos schema.Pos, what, name string) bool {
	switch {
	case len(name) > maxGoName:
		r.Report(pos, schema.RuleTooLarge, "shorten it", "%s has more than %d bytes", what, maxGoName)
		return false
	case !token.IsIdentifier(name):
		r.Report(pos, schema.RuleGoName, "letters, digits and _, starting with an upper-case letter",
			"%s %s is not a Go identifier", what, text.Quote(name))
		return false
	case !token.IsExported(name):
		r.Report(pos, schema.RuleGoName, "start it with an upper-case letter",
			"%s %s is not exported", what, text.Quote(name))
		return false
	}
	return true
}
