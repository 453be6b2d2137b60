package payload

import "encoding/json"

// Marshaler writes a value of a Go type that the catalog names by x-go-type. What its MarshalJSON returns must be JSON.
func (e *Encoder) Marshaler(v json.Marshaler) {
	text, err := v.MarshalJSON()
	if err != nil {
		e.violate(RuleGoType, "its Go type cannot write it", shorten(err.Error()))
		return
	}
	e.JSON(text)
}

// Unmarshaler reads the value that comes next into a Go type that the catalog names by x-go-type.
func (d *Decoder) Unmarshaler(v json.Unmarshaler) {
	text, ok := d.raw()
	if ok && v.UnmarshalJSON(append([]byte(nil), text...)) != nil { // a copy, since the type may keep it
		d.violate(RuleGoType, "want what its Go type can read", describe(text))
	}
}
