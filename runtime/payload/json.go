package payload

import (
	"encoding/json"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// JSON is any JSON value, null among them, as text: what a free-form part of a payload is. It comes from the wire as
// the bytes it had there and goes out as the bytes it is, which have to be JSON by RFC 8259. An empty JSON is no
// value: it means that an optional member is absent, and cannot be sent where a value is required.
type JSON []byte

// JSONOf returns v as JSON, written by encoding/json.
func JSONOf(v any) (JSON, error) {
	text, err := json.Marshal(v)
	return JSON(text), err
}

// Unmarshal reads the value into what v points to, by encoding/json.
func (j JSON) Unmarshal(v any) error { return json.Unmarshal(j, v) }

// MarshalJSON returns the text itself, and null for an empty one.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// UnmarshalJSON keeps a copy of text.
func (j *JSON) UnmarshalJSON(text []byte) error {
	*j = append(JSON{}, text...)
	return nil
}

// String returns the text.
func (j JSON) String() string { return string(j) }

// JSON writes a value that is JSON already, spaces around it left out.
func (e *Encoder) JSON(v JSON) {
	start := jsonwire.SkipSpace(v, 0)
	if start == len(v) {
		e.Missing()
		return
	}
	end, err := jsonwire.ScanValue(v, start, maxPayloadDepth-len(e.steps))
	switch {
	case err == nil && jsonwire.SkipSpace(v, end) == len(v):
		e.buf = append(e.buf, v[start:end]...)
	case err == nil:
		e.violate(RuleSyntax, "want one JSON value", "")
	default:
		e.violate(RuleSyntax, "want JSON: "+err.Error(), "")
	}
}

// Missing says that there is no value to write where one is required.
func (e *Encoder) Missing() { e.violate(RuleRequired, "is required but missing", "") }

// JSON keeps the value that comes next, whatever it is.
func (d *Decoder) JSON(v *JSON) {
	if text, ok := d.raw(); ok {
		*v = append(JSON{}, text...)
	}
}

// raw reads the value that comes next without looking into it.
func (d *Decoder) raw() (text []byte, ok bool) {
	if d.broken {
		return nil, false
	}
	start := d.pos
	end, err := jsonwire.ScanValue(d.src, start, maxPayloadDepth-len(d.steps))
	if err == nil {
		d.pos = end
		return d.src[start:end], true
	}
	if d.skip(); !d.broken {
		d.violate(RuleDepth, "is nested too deeply", "")
	}
	return nil, false
}
