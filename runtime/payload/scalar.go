package payload

import (
	"strconv"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// Bool writes true or false.
func (e *Encoder) Bool(v bool) { e.buf = strconv.AppendBool(e.buf, v) }

// Bool reads true or false.
func (d *Decoder) Bool(v *bool) {
	c, ok := d.peek()
	if !ok {
		return
	}
	if c != 't' && c != 'f' {
		d.mismatch(RuleType, "true or false")
		return
	}
	if d.skip(); !d.broken {
		*v = c == 't'
	}
}

// String writes a string, which must be valid UTF-8 (ENC-5).
func (e *Encoder) String(v string) {
	var ok bool
	if e.buf, ok = jsonwire.AppendString(e.buf, v); !ok {
		e.violate(RuleUTF8, "want valid UTF-8", quoteShort(v))
	}
}

// String reads a string. An unpaired surrogate escape is read as U+FFFD, as everywhere in Go.
func (d *Decoder) String(v *string) {
	if text, ok := d.text("a string"); ok {
		*v = string(text)
	}
}

// text reads a string without copying it, unless it contains escapes.
func (d *Decoder) text(want string) (text []byte, ok bool) {
	c, ok := d.peek()
	if !ok {
		return nil, false
	}
	if c != '"' {
		d.mismatch(RuleType, want)
		return nil, false
	}
	end, plain, err := jsonwire.ScanString(d.src, d.pos)
	if err != nil {
		d.fail(err)
		return nil, false
	}
	quoted := d.src[d.pos:end]
	d.pos = end
	if plain {
		return quoted[1 : len(quoted)-1], true
	}
	return jsonwire.AppendUnquoted(nil, quoted), true
}
