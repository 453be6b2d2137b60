// Package payload encodes, decodes and validates the payloads of messages. It is for code that bqgen generates; a
// service uses the types JSON, Decimal, Optional and PayloadError by their names in package bq.
//
// The generated types have three methods, and a [Codec] calls them:
//
//	func (v *Order) EncodeJSON(e *payload.Encoder)
//	func (v *Order) DecodeJSON(d *payload.Decoder)
//	func (v *Order) ValidateJSON(c *payload.Validator)
//
// # Terminology
//
//   - An [Encoder] writes a payload as JSON text. It reports what JSON or the contract cannot represent.
//   - A [Decoder] reads JSON text into a payload. It checks everything that a Go value no longer shows: types, missing
//     and unknown members, duplicates, equal elements.
//   - A [Validator] checks a Go value against the rest of its schema: lengths, limits, patterns, formats.
//   - A [Checker] checks JSON text against what no Go type can express; package jsonvalue has the only one.
//   - A [Codec] is the three together for the payload of one URN.
//   - A rule is what a payload can break: the name of a JSON Schema keyword, or one of the few names that stand for
//     limits of Go and of the wire contract.
//   - A [Violation] is one rule broken at one JSON Pointer. An [Error] contains all violations of a payload.
//   - A trail is the way from a payload to the value at hand, in steps (a member's name or an element's index), and the
//     violations found on the way. Encoder, decoder and validator each have one.
//   - The value that comes next is the one at the decoder's position. To skip it is to check only that it is JSON.
//   - A received payload was read by a decoder. The validator does not repeat what the decoder has checked.
//   - A union is a schema with oneOf; its branches are told apart by the discriminator, a member whose value is a
//     different string in each. A lookahead finds that member before the branch is read.
//
// # Where to find a keyword
//
// The check of each JSON Schema keyword is in the file with its name: minlength.go contains minLength and maxLength,
// minimum.go all four limits of numbers, minitems.go, minproperties.go, multipleof.go, pattern.go, uniqueitems.go,
// additionalproperties.go, required.go, enum.go, const.go, format.go, oneof.go, items.go. Types are read and written in
// scalar.go, number.go, nullable.go, json.go and, for formats with a Go type of their own, format_types.go and
// decimal.go.
//
// # Why not a library
//
// All violations of a payload are reported at once, in both directions, with exact numbers, within the contract's depth
// and with the contract's escaping: see runtime/internal/jsonwire, which does the scanning.
package payload
