package payload

import (
	"fmt"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// Equal checks that a value is the only one that the schema allows.
func Equal[T comparable](c *Validator, v, want T) {
	if v != want {
		c.violate(RuleConst, fmt.Sprintf("want %#v", want), shorten(fmt.Sprintf("%#v", v)))
	}
}

// Literal writes JSON text of the catalog unchanged.
func (e *Encoder) Literal(text string) { e.buf = append(e.buf, text...) }

// Const reads a value that must equal want, JSON text of the catalog. Numbers are compared by value.
func (d *Decoder) Const(want string) {
	text, ok := d.raw()
	if !ok || string(text) == want {
		return
	}
	got, _ := jsonwire.AppendCanonical(nil, text, 0)
	wanted, _ := jsonwire.AppendCanonical(nil, []byte(want), 0)
	if string(got) != string(wanted) {
		d.violate(RuleConst, "want "+want, describe(text))
	}
}
