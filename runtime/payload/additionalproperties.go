package payload

import (
	"maps"
	"slices"
)

// EncodeMap writes values as an object, each with encode, sorted by name. A nil map becomes an empty object.
func EncodeMap[T any](e *Encoder, values map[string]T, encode func(*Encoder, T)) {
	if !e.BeginObject() {
		return
	}
	EncodeAdditional(e, values, encode)
	e.EndObject()
}

// EncodeMapOf is [EncodeMap] for generated types, which encode themselves.
func EncodeMapOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, values map[string]T) {
	EncodeMap(e, values, encodeSelf[T, P])
}

// EncodeAdditional writes values as further members of the open object, sorted by name. None may have one of the
// declared names, which belong to members with fields of their own.
func EncodeAdditional[T any](e *Encoder, values map[string]T, encode func(*Encoder, T), declared ...string) {
	if len(values) == 0 {
		return
	}
	for _, name := range sortedNames(values) {
		into := e.Member(name)
		if slices.Contains(declared, name) {
			e.violate(RuleAdditional, "is a member with a field of its own", "")
		}
		encode(into, values[name])
	}
}

// EncodeAdditionalOf is [EncodeAdditional] for generated types, which encode themselves.
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

// DecodeMap reads an object, each member with decode, and replaces what v points to. An empty object becomes a map that
// is not nil.
func DecodeMap[T any](d *Decoder, v *map[string]T, decode func(*Decoder, *T)) {
	*v = map[string]T{}
	for name := range d.Object {
		DecodeAdditional(d, v, name, decode)
	}
}

// DecodeMapOf is [DecodeMap] for generated types, which decode themselves.
func DecodeMapOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *map[string]T) {
	DecodeMap(d, v, decodeSelf[T, P])
}

// DecodeAdditional reads the value of a member without a field of its own into a map. It makes the map if it is nil.
func DecodeAdditional[T any](d *Decoder, v *map[string]T, name []byte, decode func(*Decoder, *T)) {
	var value T
	decode(d, &value)
	if *v == nil {
		*v = map[string]T{}
	}
	(*v)[string(name)] = value
}

// DecodeAdditionalOf is [DecodeAdditional] for generated types, which decode themselves.
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

// Unknown rejects a member of an object that must not have other members than its own.
func (d *Decoder) Unknown() {
	if d.skip(); !d.broken {
		d.violate(RuleAdditional, "is not a member of this object", "")
	}
}

// ValidateMap checks each member of an object that is a map.
func ValidateMap[T any](c *Validator, values map[string]T, check func(*T, *Validator)) {
	if len(values) == 0 || !c.BeginObject() {
		return
	}
	ValidateAdditional(c, values, check)
	c.EndObject()
}

// ValidateAdditional checks each member of the object at hand that has no field of its own.
func ValidateAdditional[T any](c *Validator, values map[string]T, check func(*T, *Validator)) {
	before, kept := c.total, len(c.kept)
	for name, value := range values {
		check(&value, c.Member(name))
	}
	if c.total == before {
		return
	}
	// Check again, sorted, so that the violations always come in the same order. Sorting at once would allocate.
	c.forget(c.total-before, kept, len(c.kept))
	for _, name := range sortedNames(values) {
		value := values[name]
		check(&value, c.Member(name))
	}
}

func sortedNames[T any](values map[string]T) []string { return slices.Sorted(maps.Keys(values)) }
