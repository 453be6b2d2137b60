package payload

import (
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// An Encoder writes one payload as JSON: compact, member order as called, strings escaped only where they must be
// (ENC-1 to ENC-4). It is made for generated code, which calls it in an order that gives well-formed JSON.
//
// What JSON or the contract cannot carry (ENC-5: NaN, infinities, strings that are not UTF-8; unknown enum values, years
// outside 0 to 9999, nesting beyond the contract's limit) is not written. All of it is collected and comes back as
// one *Error from [Encoder.Bytes].
//
// The zero Encoder is ready to use. Reset makes one fit for the next payload and keeps its memory.
type Encoder struct {
	buf []byte
	trail[string]
}

// Reset starts a new payload, which is appended to dst. The Encoder owns dst until Bytes hands it back.
func (e *Encoder) Reset(dst []byte) {
	e.buf = dst
	e.reset()
}

// Bytes returns what Reset was given with the payload appended, or a *Error. The slice is the caller's only
// until the next write.
func (e *Encoder) Bytes() ([]byte, error) {
	if err := e.err(); err != nil {
		return nil, err
	}
	return e.buf, nil
}

// Marshal returns the JSON that encode writes, or a *Error. Generated MarshalJSON methods call it.
func Marshal(encode func(*Encoder)) ([]byte, error) {
	var e Encoder
	encode(&e)
	return e.Bytes()
}

// BeginObject opens an object. It reports false, and the caller writes nothing, when objects and arrays nest too
// deeply; a value that contains itself ends here.
func (e *Encoder) BeginObject() bool {
	return e.begin('{', step[string]{})
}

// Member starts the member called name; its value is to be written next. It returns e so that both fit on one line.
func (e *Encoder) Member(name string) *Encoder {
	e.comma()
	if len(e.steps) > 0 {
		e.steps[len(e.steps)-1].name = name
	}
	e.String(name)
	e.buf = append(e.buf, ':')
	return e
}

// EndObject closes the object that BeginObject opened.
func (e *Encoder) EndObject() { e.end('}') }

// BeginArray opens an array, with the same result as BeginObject.
func (e *Encoder) BeginArray() bool {
	return e.begin('[', step[string]{index: -1, element: true})
}

// Element starts the next element of an array; its value is to be written next. It returns e.
func (e *Encoder) Element() *Encoder {
	e.comma()
	if len(e.steps) > 0 {
		e.steps[len(e.steps)-1].index++
	}
	return e
}

// EndArray closes the array that BeginArray opened.
func (e *Encoder) EndArray() { e.end(']') }

func (e *Encoder) begin(bracket byte, s step[string]) bool {
	if len(e.steps) == maxPayloadDepth {
		e.violate(RuleDepth, "is nested too deeply or contains itself", "")
		return false
	}
	e.buf = append(e.buf, bracket)
	e.steps = append(e.steps, s)
	return true
}

func (e *Encoder) end(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.steps = e.steps[:max(0, len(e.steps)-1)]
}

// comma separates from an earlier member or element. Only an opening bracket has none before what follows it: no
// value ends in one.
func (e *Encoder) comma() {
	if n := len(e.buf); n > 0 && e.buf[n-1] != '{' && e.buf[n-1] != '[' {
		e.buf = append(e.buf, ',')
	}
}

// String writes a string, which must be valid UTF-8.
func (e *Encoder) String(v string) {
	var ok bool
	if e.buf, ok = jsonwire.AppendString(e.buf, v); !ok {
		e.violate(RuleUTF8, "want valid UTF-8", quoteShort(v))
	}
}

// Int64 writes an integer.
func (e *Encoder) Int64(v int64) { e.buf = strconv.AppendInt(e.buf, v, 10) }

// Float64 writes a finite number with the fewest digits that read back as v, in encoding/json's spelling: 1 for
// 1.0, an exponent below 1e-6 and from 1e21.
func (e *Encoder) Float64(v float64) { e.float(v, 64) }

func (e *Encoder) float(v float64, bits int) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.violate(RuleRange, "want a finite number", strconv.FormatFloat(v, 'g', -1, 64))
		return
	}
	format := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	e.buf = strconv.AppendFloat(e.buf, v, format, -1, bits)
	if n := len(e.buf); format == 'e' && e.buf[n-3] == '-' && e.buf[n-2] == '0' { // two digits at least: 1e-07
		e.buf[n-2] = e.buf[n-1]
		e.buf = e.buf[:n-1]
	}
}

// Bool writes true or false.
func (e *Encoder) Bool(v bool) { e.buf = strconv.AppendBool(e.buf, v) }

// Time writes a date-time of RFC 3339 with as many digits of the second as v has, in v's own zone. RFC 3339 has no
// zone with seconds and none of a day or more: such a time is written in UTC.
func (e *Encoder) Time(v time.Time) {
	const day = 24 * 60 * 60
	if _, offset := v.Zone(); offset%60 != 0 || offset <= -day || offset >= day {
		v = v.UTC()
	}
	if year := v.Year(); year < 0 || year > 9999 {
		e.violate(RuleRange, "want a year from 0 to 9999", strconv.Itoa(year))
		return
	}
	e.buf = append(e.buf, '"')
	e.buf = v.AppendFormat(e.buf, time.RFC3339Nano)
	e.buf = append(e.buf, '"')
}

// UUID writes a UUID in its 36 character form, lower case.
func (e *Encoder) UUID(v uuid.UUID) {
	e.buf = append(e.buf, '"')
	e.buf = hex.AppendEncode(e.buf, v[:4])
	for _, group := range [][]byte{v[4:6], v[6:8], v[8:10], v[10:]} {
		e.buf = append(e.buf, '-')
		e.buf = hex.AppendEncode(e.buf, group)
	}
	e.buf = append(e.buf, '"')
}

// An Enum is a generated string type with a closed set of values.
type Enum interface {
	~string
	// Valid reports whether the value is in the set.
	Valid() bool
}

// EncodeEnum writes a value of an enum, which must be a valid one.
func EncodeEnum[E Enum](e *Encoder, v E) {
	if !v.Valid() {
		e.violate(RuleEnum, "want a value of the enum", quoteShort(v))
		return
	}
	e.String(string(v))
}

// EncodeArray writes values as an array, each by encode. A nil slice is an empty array.
func EncodeArray[T any](e *Encoder, values []T, encode func(*Encoder, T)) {
	if !e.BeginArray() {
		return
	}
	for _, v := range values {
		encode(e.Element(), v)
	}
	e.EndArray()
}

// EncodeArrayOf is EncodeArray for generated types, which encode themselves.
func EncodeArrayOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, values []T) {
	if !e.BeginArray() {
		return
	}
	for i := range values {
		P(&values[i]).EncodeJSON(e.Element())
	}
	e.EndArray()
}
