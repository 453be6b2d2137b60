package payload

import (
	"math"
	"strconv"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// Int32 writes an integer.
func (e *Encoder) Int32(v int32) { e.Int64(int64(v)) }

// Int64 writes an integer.
func (e *Encoder) Int64(v int64) { e.buf = strconv.AppendInt(e.buf, v, 10) }

// Uint64 writes an integer.
func (e *Encoder) Uint64(v uint64) { e.buf = strconv.AppendUint(e.buf, v, 10) }

// Int32 reads an integer as [Decoder.Int64] does. One that needs more than 32 bits is a violation.
func (d *Decoder) Int32(v *int32) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	n, err := jsonwire.ParseInt64(literal)
	if err == nil && int64(int32(n)) != n {
		err = jsonwire.ErrRange
	}
	if err != nil {
		d.notInteger(literal, err, "want an integer of 32 bits")
		return
	}
	*v = int32(n)
}

// Int64 reads an integer. As in JSON Schema 2020-12, a number is an integer if its value is one: 1.0 and 1e3 are. The
// value is exact. One that needs more than 64 bits is a violation (NUM-1, NUM-2).
func (d *Decoder) Int64(v *int64) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	n, err := jsonwire.ParseInt64(literal)
	if err != nil {
		d.notInteger(literal, err, "want an integer of 64 bits")
		return
	}
	*v = n
}

// Uint64 reads an integer as [Decoder.Int64] does. A negative one is a violation.
func (d *Decoder) Uint64(v *uint64) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	n, err := jsonwire.ParseUint64(literal)
	if err != nil {
		d.notInteger(literal, err, "want an integer of 64 bits that is not negative")
		return
	}
	*v = n
}

// notInteger reports a number that is not an integer of the wanted size.
func (d *Decoder) notInteger(literal []byte, err error, want string) {
	if err == jsonwire.ErrRange {
		d.violate(RuleRange, want, describe(literal))
	} else {
		d.violate(RuleType, "want an integer", describe(literal))
	}
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

// Float32 writes a finite number with the fewest digits that are read back as v.
func (e *Encoder) Float32(v float32) { e.float(float64(v), 32) }

// Float64 writes a finite number with the fewest digits that are read back as v. Like encoding/json, it writes 1 for
// 1.0, and an exponent below 1e-6 and from 1e21.
func (e *Encoder) Float64(v float64) { e.float(v, 64) }

func (e *Encoder) float(v float64, bits int) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.violate(RuleRange, "want a finite number", strconv.FormatFloat(v, 'g', -1, 64)) // ENC-5
		return
	}
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	e.buf = strconv.AppendFloat(e.buf, v, format, -1, bits)
	if n := len(e.buf); format == 'e' && e.buf[n-3] == '-' && e.buf[n-2] == '0' { // 1e-07 is 1e-7 in JSON
		e.buf[n-2] = e.buf[n-1]
		e.buf = e.buf[:n-1]
	}
}

// Float32 reads a number as the nearest float32. One beyond the largest float32 is a violation.
func (d *Decoder) Float32(v *float32) {
	if f, ok := d.float(32, "want a number that a float32 can hold"); ok {
		*v = float32(f)
	}
}

// Float64 reads a number as the nearest float64. One beyond the largest float64 is a violation.
func (d *Decoder) Float64(v *float64) {
	if f, ok := d.float(64, "want a number that a float64 can hold"); ok {
		*v = f
	}
}

func (d *Decoder) float(bits int, want string) (f float64, ok bool) {
	literal, ok := d.number("a number")
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(literal), bits)
	if err != nil || math.IsInf(f, 0) {
		d.violate(RuleRange, want, describe(literal))
		return 0, false
	}
	return f, true
}
