package payload

import "github.com/babelqueue/bqgen/runtime/internal/jsonwire"

// Null writes null.
func (e *Encoder) Null() { e.buf = append(e.buf, "null"...) }

// Null reports whether the value that comes next is null, and reads it then.
func (d *Decoder) Null() bool {
	const null = "null"
	end := d.pos + len(null)
	if d.broken || end > len(d.src) || string(d.src[d.pos:end]) != null {
		return false
	}
	if end < len(d.src) && !jsonwire.IsSpace(d.src[end]) && d.src[end] != ',' && d.src[end] != '}' && d.src[end] != ']' {
		return false // not JSON, as whatever reads next will say
	}
	d.pos = end
	return true
}

// EncodeNullable writes what v points to by encode, and null when it points to nothing.
func EncodeNullable[T any](e *Encoder, v *T, encode func(*Encoder, T)) {
	if v == nil {
		e.Null()
		return
	}
	encode(e, *v)
}

// EncodeNullableOf is EncodeNullable for generated types, which encode themselves.
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

// DecodeNullable points v to what decode reads, and to nothing when that is null.
func DecodeNullable[T any](d *Decoder, v **T, decode func(*Decoder, *T)) {
	if *v = nil; d.Null() {
		return
	}
	*v = new(T)
	decode(d, *v)
}

// DecodeNullableOf is DecodeNullable for generated types, which decode themselves.
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

// EncodeOptional writes a member that is not absent: its value by encode, or null.
func EncodeOptional[T any](e *Encoder, v Optional[T], encode func(*Encoder, T)) {
	EncodeNullable(e, v.Value, encode)
}

// EncodeOptionalOf is EncodeOptional for generated types, which encode themselves.
func EncodeOptionalOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, v Optional[T]) {
	EncodeNullableOf[T, P](e, v.Value)
}

// DecodeOptional reads a member that is there: null, or a value by decode.
func DecodeOptional[T any](d *Decoder, v *Optional[T], decode func(*Decoder, *T)) {
	v.Present = true
	DecodeNullable(d, &v.Value, decode)
}

// DecodeOptionalOf is DecodeOptional for generated types, which decode themselves.
func DecodeOptionalOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *Optional[T]) {
	v.Present = true
	DecodeNullableOf[T, P](d, &v.Value)
}
