package bq

import "github.com/babelqueue/bqgen/runtime/payload"

// JSON is the text of any JSON value, including null: the free-form part of a payload. It keeps the bytes that it had
// on the wire, and is sent as the bytes that it contains, which must be JSON by RFC 8259. The empty JSON means that an
// optional member is absent; it cannot be sent where a value is required.
type JSON = payload.JSON

// JSONOf returns v as JSON, encoded by encoding/json.
func JSONOf(v any) (JSON, error) { return payload.JSONOf(v) }

// Decimal is an exact decimal number as text, such as 99.90. The text never changes, so 1.0 and 1.00 are different
// decimals. The empty Decimal is not a number and cannot be sent.
type Decimal = payload.Decimal

// Optional is a member that can be absent, null or a value. Encoding and decoding keep the three apart. The zero
// Optional is absent.
type Optional[T any] = payload.Optional[T]

// Some returns an Optional with a value.
func Some[T any](v T) Optional[T] { return payload.Some(v) }

// Null returns an Optional that is null.
func Null[T any]() Optional[T] { return payload.Null[T]() }

// PayloadError contains everything that is wrong with a payload that was to be published or was received: for each
// violation its JSON Pointer, the rule, what was wanted and what was found.
type PayloadError = payload.Error
