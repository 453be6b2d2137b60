package payload

import (
	"reflect"
	"slices"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// A Value is a generated type that encodes and validates itself. Every branch of a generated union is a Value.
type Value interface {
	EncodeJSON(*Encoder)
	Validate() error
}

// A checkedValue is a Value whose schema asks for more than its Go type.
type checkedValue interface{ ValidateJSON(*Validator) }

// EncodeUnion writes the branch that v is. It must not be nil.
func EncodeUnion[U Value](e *Encoder, v U) {
	if isNil(v) {
		e.Missing()
		return
	}
	v.EncodeJSON(e)
}

// ValidateUnion checks the branch that v is.
func ValidateUnion[U Value](c *Validator, v U) {
	if checked, ok := any(v).(checkedValue); ok && !isNil(v) {
		checked.ValidateJSON(c)
	}
}

// isNil reports whether a union is nil or a nil pointer.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// Discriminator looks ahead into the object that comes next for the member called name, which can be anywhere in it,
// and returns its value, a string. The last of duplicates counts. The object is still the value that comes next. If
// there is no such string, Discriminator records a violation, skips the object and returns false.
func (d *Decoder) Discriminator(name string) (value []byte, ok bool) {
	c, ok := d.peek()
	if !ok {
		return nil, false
	}
	if c != '{' {
		d.mismatch(RuleType, "an object")
		return nil, false
	}
	at := d.findMember(name)
	switch {
	case d.broken:
		return nil, false
	case at < 0:
		d.skip()
		d.violateAt(name, RuleRequired, isMissing, "")
		return nil, false
	case d.src[at] != '"':
		end, _ := jsonwire.ScanValue(d.src, at, maxPayloadDepth+1)
		found := describe(d.src[at:end])
		d.skip()
		d.violateAt(name, RuleType, "want a string", found)
		return nil, false
	}
	end, plain, _ := jsonwire.ScanString(d.src, at)
	if plain {
		return d.src[at+1 : end-1], true
	}
	return jsonwire.AppendUnquoted(nil, d.src[at:end]), true
}

// UnknownBranch skips the object that comes next, whose discriminator, the member called name, has a value that no
// branch of the union has.
func (d *Decoder) UnknownBranch(name string, value []byte) {
	found := quoteShort(string(value))
	d.skip()
	d.violateAt(name, RuleEnum, "want a value of one of the union's branches", found)
}

// violateAt records a violation of a member of the value at hand.
func (d *Decoder) violateAt(name, rule, message, value string) {
	if d.broken {
		return
	}
	d.steps = append(d.steps, step[[]byte]{name: []byte(name)})
	d.violate(rule, message, value)
	d.steps = d.steps[:len(d.steps)-1]
}

// findMember returns the offset of the value of a member of the object that comes next, or -1. If the text is not JSON,
// decoding ends.
func (d *Decoder) findMember(name string) (at int) {
	at = -1
	i := jsonwire.SkipSpace(d.src, d.pos+1)
	if i < len(d.src) && d.src[i] == '}' {
		return at
	}
	for more := true; more; {
		nameEnd, plain, value, err := jsonwire.ScanMember(d.src, i)
		if err != nil {
			d.fail(err)
			return -1
		}
		quoted := d.src[i:nameEnd]
		if plain && string(quoted[1:len(quoted)-1]) == name || !plain && jsonwire.Unquote(quoted, false) == name {
			at = value
		}
		if i, err = d.ahead.scan(d.src, value); err == nil {
			i, more, err = jsonwire.ScanNext(d.src, i, '}')
		}
		if err != nil {
			d.fail(err)
			return -1
		}
	}
	return at
}

// NewBranch reads a branch of a union.
func NewBranch[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder) P {
	v := P(new(T))
	v.DecodeJSON(d)
	return v
}

// ValidateUnknown checks the text that a union keeps of an unknown branch: an object whose discriminator, the member
// called name, is a string and not one of the known values.
func ValidateUnknown(c *Validator, v JSON, name string, known ...string) {
	if len(v) == 0 || v[0] != '{' {
		if len(v) > 0 {
			c.violate(RuleType, "want an object", shorten(string(v)))
		}
		return // the encoder reports an empty text
	}
	var d Decoder
	d.Reset(v)
	value, ok := d.Discriminator(name)
	err, _ := d.err().(*Error)
	switch {
	case !ok && err != nil:
		c.violate(err.Violations[0].Rule, "member "+name+" "+err.Violations[0].Message, err.Violations[0].Value)
	case ok && slices.Contains(known, string(value)):
		c.violate(RuleEnum, "want another value than the union's branches have in "+name, quoteShort(string(value)))
	}
}
