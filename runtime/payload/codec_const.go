package payload

import (
	"encoding/json"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// Literal writes JSON text of the catalog as it is.
func (e *Encoder) Literal(text string) { e.buf = append(e.buf, text...) }

// Const reads a value that must be equal to want, JSON text of the catalog. Numbers are compared by their value.
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

// Marshaler writes what v makes of itself. It has to be JSON.
func (e *Encoder) Marshaler(v json.Marshaler) {
	text, err := v.MarshalJSON()
	if err != nil {
		e.violate(RuleGoType, "its Go type cannot write it: "+shorten(err.Error()), "")
		return
	}
	e.JSON(text)
}

// Unmarshaler has v read the value that comes next.
func (d *Decoder) Unmarshaler(v json.Unmarshaler) {
	text, ok := d.raw()
	if ok && v.UnmarshalJSON(append([]byte(nil), text...)) != nil { // the type may keep what it is given
		d.violate(RuleGoType, "want what its Go type can read", describe(text))
	}
}

// KeyText returns a value as the text of a message key: that of its JSON, without quotes. Generated code calls it for
// types that have no shorter way.
func KeyText(encode func(*Encoder)) string {
	text, err := Marshal(encode)
	if err != nil {
		return ""
	}
	if len(text) > 0 && text[0] == '"' {
		return jsonwire.Unquote(text, false)
	}
	return string(text)
}
