package draft

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// A Value is a JSON value of the catalog that must obey a schema.
type Value struct {
	schema.Literal
	Node    *source.Node
	Decoded any    // the same value as encoding/json decodes it, with numbers as json.Number
	Rule    string // that is broken when it does not obey
	What    string // for messages

	reported map[*source.Node]bool
}

// WasReported reports whether a node of the value was reported, so that it is not judged again.
func (v Value) WasReported(n *source.Node) bool { return v.reported[n] }

// IsExample reports whether the value is an example.
func (v Value) IsExample() bool { return v.Rule == schema.RuleExample }

// Value reads a value. It reports false when something in the value was reported.
func (r *Reader) Value(n *source.Node, rule, what string) (Value, bool) {
	v := Value{Node: n, Rule: rule, What: what}
	if n.IsPartial() || n.Kind == source.Bad {
		return v, false
	}
	v.Pos = n.Pos
	v.JSON, v.Decoded = n.JSON(func(invalid *source.Node) {
		r.reportValue(invalid, rule, what)
		if v.reported == nil {
			v.reported = map[*source.Node]bool{}
		}
		v.reported[invalid] = true
	})
	return v, v.reported == nil
}

// reportValue reports a scalar that JSON cannot represent, or that YAML readers disagree about.
func (r *Reader) reportValue(n *source.Node, rule, what string) {
	if source.ClassifyPlain(n.Text) == source.PlainNumber {
		r.Report(n.Pos, rule, "quote it if it is text", "number %s is out of range", text.Short(n.Text))
		return
	}
	hint := `quote it if it is text: "` + text.Short(n.Text) +
		`"; write numbers in decimal digits, booleans as true and false`
	r.Report(n.Pos, rule, hint, "the %s has %s", what, n.Describe())
}

// ScalarValue returns a value for a scalar in JSON.
func ScalarValue(pos schema.Pos, compact, rule, what string) Value {
	v := Value{Literal: schema.Literal{Pos: pos, JSON: []byte(compact)}, Rule: rule, What: what}
	v.Node, v.Decoded = source.ScalarOf(compact)
	v.Node.Pos = pos
	return v
}

func (r *Reader) defaultKeyword(d *Draft, n *source.Node) {
	if v, ok := r.Value(n, schema.RuleDefault, "default"); ok {
		d.Values = append(d.Values, v)
	}
}

func (r *Reader) examplesKeyword(d *Draft, n *source.Node) {
	if !r.IsList(n, "examples") {
		return
	}
	for _, item := range n.Items {
		if v, ok := r.Value(item, schema.RuleExample, "example"); ok {
			d.Values = append(d.Values, v)
		}
	}
}
