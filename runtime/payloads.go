package bq

import "github.com/babelqueue/bqgen/runtime/payload"

// JSON is any JSON value, null included, as text: the free-form part of a payload. It keeps the bytes that it had on
// the wire, and is sent as the bytes that it holds, which must be JSON by RFC 8259. The empty JSON means that an
// optional member is absent; it cannot be sent where a value is required.
type JSON = payload.JSON

// JSONOf returns v as JSON, encoded by encoding/json.
func JSONOf(v any) (JSON, error) { return payload.JSONOf(v) }

// Decimal is an exact decimal number as text, such as 99.90. Its text stays as it is: 1.0 and 1.00 differ. The empty
// Decimal is no number and cannot be sent.
type Decimal = payload.Decimal

// Optional is a member that may be absent and may be null. Which of the three it is (absent, null, a value) survives a
// round trip. The zero Optional is absent.
type Optional[T any] = payload.Optional[T]

// Some returns an Optional with a value.
func Some[T any](v T) Optional[T] { return payload.Some(v) }

// Null returns an Optional that is null.
func Null[T any]() Optional[T] { return payload.Null[T]() }

// PayloadError reports everything that is wrong with a payload that is published or received. Its Violations name the
// JSON Pointer and the rule of each.
type PayloadError = payload.Error
