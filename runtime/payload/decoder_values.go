package payload

import (
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/internal/format"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// String reads a string.
func (d *Decoder) String(v *string) {
	if text, ok := d.text("a string"); ok {
		*v = string(text)
	}
}

// Int64 reads an integer. As in JSON Schema 2020-12, a number is one when its value is: 1.0 and 1e3 are. The value is
// exact; one that needs more than 64 bits is a violation (NUM-1, NUM-2).
func (d *Decoder) Int64(v *int64) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	n, err := jsonwire.ParseInt64(literal)
	switch {
	case err == nil:
		*v = n
	case errors.Is(err, jsonwire.ErrRange):
		d.violate(RuleRange, "want an integer of 64 bits", describe(literal))
	default:
		d.violate(RuleType, "want an integer", describe(literal))
	}
}

// Float64 reads a number as the float64 nearest to it. One beyond the largest float64 is a violation.
func (d *Decoder) Float64(v *float64) {
	literal, ok := d.number("a number")
	if !ok {
		return
	}
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil || math.IsInf(f, 0) {
		d.violate(RuleRange, "want a number that a float64 can hold", describe(literal))
		return
	}
	*v = f
}

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

// Time reads a date-time of RFC 3339, strictly. T and Z may be lower case. A second of 60 is taken where a leap
// second can be, at 23:59:60 UTC, and means the second after it, as it does for the Unix clock. Digits beyond the
// nanosecond are dropped. The time is in UTC when its offset is zero, otherwise in a zone without a name.
func (d *Decoder) Time(v *time.Time) {
	start := d.pos
	text, ok := d.text("a date-time as a string")
	if !ok {
		return
	}
	t, ok := format.ParseDateTime(text)
	if !ok {
		d.violate(RuleFormat, "want a date-time by RFC 3339", describe(d.src[start:d.pos]))
		return
	}
	*v = t
}

// UUID reads a UUID in its 36 character form, in either case.
func (d *Decoder) UUID(v *uuid.UUID) {
	start := d.pos
	text, ok := d.text("a UUID as a string")
	if !ok {
		return
	}
	id, ok := format.ParseUUID(text)
	if !ok {
		d.violate(RuleFormat, "want a UUID of 36 characters", describe(d.src[start:d.pos]))
		return
	}
	*v = id
}

// DecodeEnum reads a value of an enum.
func DecodeEnum[E Enum](d *Decoder, v *E) {
	start := d.pos
	text, ok := d.text("a string")
	if !ok {
		return
	}
	value := E(text)
	if !value.Valid() {
		d.violate(RuleEnum, "want a value of the enum", describe(d.src[start:d.pos]))
		return
	}
	*v = value
}

// DecodeArray reads an array, each element by decode, in place of what v holds. An empty array gives a slice that is
// not nil.
func DecodeArray[T any](d *Decoder, v *[]T, decode func(*Decoder, *T)) {
	out, found := []T{}, d.total
	for range d.Array {
		decode(d, grow(&out, d.total > found))
	}
	*v = out
}

// DecodeArrayOf is DecodeArray for generated types, which decode themselves.
func DecodeArrayOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *[]T) {
	out, found := []T{}, d.total
	for range d.Array {
		P(grow(&out, d.total > found)).DecodeJSON(d)
	}
	*v = out
}

// grow makes room for one more element. Once an element of the array is known to be wrong nobody will see the others,
// and one is enough to go on looking: a large array of wrong elements takes no memory.
func grow[T any](out *[]T, wrong bool) *T {
	if wrong {
		*out = (*out)[:0]
	}
	var zero T
	*out = append(*out, zero)
	return &(*out)[len(*out)-1]
}

// text reads a string without making a copy, unless it has escapes.
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

// number reads the literal of a number.
func (d *Decoder) number(want string) (literal []byte, ok bool) {
	c, ok := d.peek()
	if !ok {
		return nil, false
	}
	if c != '-' && (c < '0' || c > '9') {
		d.mismatch(RuleType, want)
		return nil, false
	}
	end, err := jsonwire.ScanNumber(d.src, d.pos)
	if err != nil {
		d.fail(err)
		return nil, false
	}
	literal = d.src[d.pos:end]
	d.pos = end
	return literal, true
}
