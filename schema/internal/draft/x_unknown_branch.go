package draft

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// unknownBranchKeyword reads x-unknown-branch: what becomes of an object whose discriminator has none of the values.
func (r *Reader) unknownBranchKeyword(d *Draft, p source.Pair) {
	if d.Node.Get("oneOf") == nil {
		r.Report(p.Key.Pos, schema.RuleMisplacedKeyword, "", "x-unknown-branch belongs to oneOf")
		return
	}
	word, ok := r.Text(p.Value, "x-unknown-branch")
	if !ok {
		return
	}
	switch word {
	case "keep":
		d.KeepUnknown = true
	case "refuse":
	default:
		r.Report(p.Value.Pos, schema.RuleOneOf,
			"refuse makes the payload invalid, which is the default; keep keeps the value as raw JSON",
			"x-unknown-branch is %s, it must be keep or refuse", text.Quote(word))
		return
	}
	d.HasUnknown = true
}
