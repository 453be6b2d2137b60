package payload

import "github.com/babelqueue/bqgen/runtime/internal/jsonwire"

// Null writes null.
func (e *Encoder) Null() { e.buf = append(e.buf, "null"...) }

// Null reports whether the value that comes next is null. If it is, Null reads it.
func (d *Decoder) Null() bool {
	const null = "null"
	end := d.pos + len(null)
	if d.broken || end > len(d.src) || string(d.src[d.pos:end]) != null {
		return false
	}
	if end < len(d.src) && !jsonwire.IsSpace(d.src[end]) && d.src[end] != ',' && d.src[end] != '}' && d.src[end] != ']' {
		return false // not JSON, which the next read reports
	}
	d.pos = end
	return true
}

// EncodeNullable writes what v points to with encode, or null if v is nil.
func EncodeNullable[T any](e *Encoder, v *T, encode func(*Encoder, T)) {
	if v == nil {
		e.Null()
		return
	}
	encode(e, *v)
}

// EncodeNullableOf is [EncodeNullable] for generated types, which encode themselves.
func EncodeNullableOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, v *T) {
	if v == nil {
		e.Null()
		return
	}
	P(v).EncodeJSON(e)
}

// DecodeNullable sets v to a pointer to what decode reads, or to nil if the value is null.
func DecodeNullable[T any](d *Decoder, v **T, decode func(*Decoder, *T)) {
	if *v = nil; d.Null() {
		return
	}
	*v = new(T)
	decode(d, *v)
}

// DecodeNullableOf is [DecodeNullable] for generated types, which decode themselves.
func DecodeNullableOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v **T) {
	if *v = nil; d.Null() {
		return
	}
	*v = new(T)
	P(*v).DecodeJSON(d)
}

// EncodeOptional writes a member that is not absent: its value with encode, or null.
func EncodeOptional[T any](e *Encoder, v Optional[T], encode func(*Encoder, T)) {
	EncodeNullable(e, v.Value, encode)
}

// EncodeOptionalOf is [EncodeOptional] for generated types, which encode themselves.
func EncodeOptionalOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, v Optional[T]) {
	EncodeNullableOf[T, P](e, v.Value)
}

// DecodeOptional reads a member that is present: null, or a value with decode.
func DecodeOptional[T any](d *Decoder, v *Optional[T], decode func(*Decoder, *T)) {
	v.Present = true
	DecodeNullable(d, &v.Value, decode)
}

// DecodeOptionalOf is [DecodeOptional] for generated types, which decode themselves.
func DecodeOptionalOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *Optional[T]) {
	v.Present = true
	DecodeNullableOf[T, P](d, &v.Value)
}

// An Optional is a member that can be absent, null or a value. Encoding and decoding keep the three apart. The zero
// Optional is absent.
type Optional[T any] struct {
	Value   *T   // nil if the member is absent or null
	Present bool // tells null from absent; it has no meaning if there is a value
}

// Some returns an Optional with a value.
func Some[T any](v T) Optional[T] { return Optional[T]{Value: &v, Present: true} }

// Null returns an Optional that is null.
func Null[T any]() Optional[T] { return Optional[T]{Present: true} }

// Get returns the value and true, or false if the member is absent or null.
func (o Optional[T]) Get() (v T, ok bool) {
	if o.Value == nil {
		return v, false
	}
	return *o.Value, true
}

// IsNull reports whether the member is null.
func (o Optional[T]) IsNull() bool { return o.Present && o.Value == nil }

// IsZero reports whether the member is absent, so that omitzero in a json tag leaves it out.
func (o Optional[T]) IsZero() bool { return !o.Present && o.Value == nil }
