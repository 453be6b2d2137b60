package payload

import (
	"fmt"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// An IntegerEnum is a generated integer type with a closed set of values.
type IntegerEnum interface {
	~int32 | ~int64 | ~uint64
	// Valid reports whether the value is in the set.
	Valid() bool
}

// EncodeIntegerEnum writes a value of an enum, which must be a valid one.
func EncodeIntegerEnum[E IntegerEnum](e *Encoder, v E) {
	switch {
	case !v.Valid():
		e.violate(RuleEnum, "want a value of the enum", fmt.Sprint(v))
	case v < 0:
		e.Int64(int64(v))
	default:
		e.Uint64(uint64(v))
	}
}

// DecodeIntegerEnum reads a value of an enum. As elsewhere, 1.0 is 1.
func DecodeIntegerEnum[E IntegerEnum](d *Decoder, v *E) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	var value E
	n, err := jsonwire.ParseInt64(literal)
	if value = E(n); err == nil && (int64(value) != n || value < 0 != (n < 0)) {
		err = jsonwire.ErrRange
	} else if err == jsonwire.ErrRange {
		var u uint64
		u, err = jsonwire.ParseUint64(literal)
		if value = E(u); err == nil && (value < 0 || uint64(value) != u) {
			err = jsonwire.ErrRange
		}
	}
	switch {
	case err == jsonwire.ErrNotIntegral:
		d.violate(RuleType, "want an integer", describe(literal))
	case err != nil || !value.Valid():
		d.violate(RuleEnum, "want a value of the enum", describe(literal))
	default:
		*v = value
	}
}
