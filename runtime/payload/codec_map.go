package payload

import (
	"maps"
	"slices"
)

// EncodeMap writes values as an object, each by encode, in the order of their names. A nil map is an empty object.
func EncodeMap[T any](e *Encoder, values map[string]T, encode func(*Encoder, T)) {
	if !e.BeginObject() {
		return
	}
	EncodeAdditional(e, values, encode)
	e.EndObject()
}

// EncodeMapOf is EncodeMap for generated types, which encode themselves.
func EncodeMapOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, values map[string]T) {
	EncodeMap(e, values, encodeSelf[T, P])
}

// EncodeAdditional writes values as further members of the object that is open, in the order of their names. None may
// have one of the declared names, which the object's own members have.
func EncodeAdditional[T any](e *Encoder, values map[string]T, encode func(*Encoder, T), declared ...string) {
	if len(values) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		into := e.Member(name)
		if slices.Contains(declared, name) {
			e.violate(RuleAdditional, "is a member with a field of its own", "")
		}
		encode(into, values[name])
	}
}

// EncodeAdditionalOf is EncodeAdditional for generated types, which encode themselves.
func EncodeAdditionalOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, values map[string]T, declared ...string) {
	EncodeAdditional(e, values, encodeSelf[T, P], declared...)
}

func encodeSelf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, v T) {
	P(&v).EncodeJSON(e)
}

// DecodeMap reads an object, each member by decode, in place of what v holds. An empty object gives a map that is not
// nil.
func DecodeMap[T any](d *Decoder, v *map[string]T, decode func(*Decoder, *T)) {
	*v = map[string]T{}
	for name := range d.Object {
		DecodeAdditional(d, v, name, decode)
	}
}

// DecodeMapOf is DecodeMap for generated types, which decode themselves.
func DecodeMapOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *map[string]T) {
	DecodeMap(d, v, decodeSelf[T, P])
}

// DecodeAdditional reads the value of a member that has no field of its own into the map, which is made when there is
// none.
func DecodeAdditional[T any](d *Decoder, v *map[string]T, name []byte, decode func(*Decoder, *T)) {
	var value T
	decode(d, &value)
	if *v == nil {
		*v = map[string]T{}
	}
	(*v)[string(name)] = value
}

// DecodeAdditionalOf is DecodeAdditional for generated types, which decode themselves.
func DecodeAdditionalOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *map[string]T, name []byte) {
	DecodeAdditional(d, v, name, decodeSelf[T, P])
}

func decodeSelf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *T) {
	P(v).DecodeJSON(d)
}

// Unknown refuses a member of an object that has no others than its own.
func (d *Decoder) Unknown() {
	if d.skip(); !d.broken {
		d.violate(RuleAdditional, "is not a member of this object", "")
	}
}
