package payload

import (
	"fmt"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// An Enum is a generated string type with a closed set of values.
type Enum interface {
	~string
	// Valid reports whether the value is in the set.
	Valid() bool
}

// EncodeEnum writes a value of an enum, which must be valid.
func EncodeEnum[E Enum](e *Encoder, v E) {
	if !v.Valid() {
		e.violate(RuleEnum, wantEnum, quoteShort(v))
		return
	}
	e.String(string(v))
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
		d.violate(RuleEnum, wantEnum, describe(d.src[start:d.pos]))
		return
	}
	*v = value
}

// An IntegerEnum is a generated integer type with a closed set of values.
type IntegerEnum interface {
	~int32 | ~int64 | ~uint64
	// Valid reports whether the value is in the set.
	Valid() bool
}

// EncodeIntegerEnum writes a value of an enum, which must be valid.
func EncodeIntegerEnum[E IntegerEnum](e *Encoder, v E) {
	switch {
	case !v.Valid():
		e.violate(RuleEnum, wantEnum, fmt.Sprint(v))
	case v < 0:
		e.Int64(int64(v))
	default:
		e.Uint64(uint64(v))
	}
}

// DecodeIntegerEnum reads a value of an enum. As for all integers, 1.0 is 1.
func DecodeIntegerEnum[E IntegerEnum](d *Decoder, v *E) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	value, err := parseIntegerEnum[E](literal)
	switch {
	case err == jsonwire.ErrNotIntegral:
		d.violate(RuleType, "want an integer", describe(literal))
	case err != nil || !value.Valid():
		d.violate(RuleEnum, wantEnum, describe(literal))
	default:
		*v = value
	}
}

// parseIntegerEnum parses an integer of E's size. Only uint64 has values that an int64 has not.
func parseIntegerEnum[E IntegerEnum](literal []byte) (value E, err error) {
	n, err := jsonwire.ParseInt64(literal)
	if err == nil {
		if value = E(n); int64(value) != n || value < 0 != (n < 0) {
			err = jsonwire.ErrRange
		}
		return value, err
	}
	if err != jsonwire.ErrRange {
		return value, err
	}
	u, err := jsonwire.ParseUint64(literal)
	if value = E(u); err == nil && (value < 0 || uint64(value) != u) {
		err = jsonwire.ErrRange
	}
	return value, err
}

const wantEnum = "want a value of the enum"
