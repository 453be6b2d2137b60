package payload

import (
	"encoding/json"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// JSON is the text of any JSON value, including null: the free-form part of a payload. It keeps the bytes that it had
// on the wire, and is sent as the bytes that it contains, which must be JSON by RFC 8259. The empty JSON means that an
// optional member is absent; it cannot be sent where a value is required.
type JSON []byte

// JSONOf returns v as JSON, encoded by encoding/json.
func JSONOf(v any) (JSON, error) {
	text, err := json.Marshal(v)
	return JSON(text), err
}

// Unmarshal decodes the value into what v points to, with encoding/json.
func (j JSON) Unmarshal(v any) error { return json.Unmarshal(j, v) }

// MarshalJSON returns the text itself, or null if it is empty.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// UnmarshalJSON stores a copy of text.
func (j *JSON) UnmarshalJSON(text []byte) error {
	*j = append(JSON{}, text...)
	return nil
}

// String returns the text.
func (j JSON) String() string { return string(j) }

// JSON writes a value that is JSON already, without the spaces around it.
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

// JSON reads the value that comes next, whatever it is.
func (d *Decoder) JSON(v *JSON) {
	if text, ok := d.raw(); ok {
		*v = append(JSON{}, text...)
	}
}

// raw reads the value that comes next as text.
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
