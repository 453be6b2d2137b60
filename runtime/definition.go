package bq

import (
	"context"
	"sync"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A Definition is what the runtime knows of one URN whose payload is a T. Generated code has one for each URN.
type Definition[T any] struct {
	URN      string
	Queue    Queue
	Key      func(*T) string      // the message key; nil for none
	Encode   func(*T, *Encoder)   // writes the payload, a JSON object
	Decode   func(*T, *Decoder)   // reads it back
	Validate func(*T, *Validator) // says what the schema does not allow; nil when it allows all that Encode writes
}

// A HandlerFunc handles the messages of one URN. What its error means is in the package's documentation.
//
// ctx carries the message's trace, so publishing with it continues the trace. It ends when the consumer is told to
// stop and the grace period is over; an error returned after that is no failed attempt, the message is delivered again.
type HandlerFunc[T any] func(ctx context.Context, m *Message[T]) error

// Encoders and decoders are used again, for their memory.
var (
	encoders = sync.Pool{New: func() any { return new(Encoder) }}
	decoders = sync.Pool{New: func() any { return new(Decoder) }}
)

// encodeEnvelope returns the body of a message with the payload, or a *PayloadError when it is not valid.
func encodeEnvelope[T any](d *Definition[T], header envelope.Header, payload *T) ([]byte, error) {
	if err := validateToSend(d, payload); err != nil {
		return nil, err
	}
	return envelope.Append(make([]byte, 0, 512), header, func(dst []byte) ([]byte, error) {
		encoder := encoders.Get().(*Encoder)
		encoder.Reset(dst)
		d.Encode(payload, encoder)
		body, err := encoder.Bytes()
		encoder.Reset(nil)
		encoders.Put(encoder)
		return body, err
	})
}

// decodePayload reads a payload and validates it, or returns a *PayloadError.
func decodePayload[T any](d *Definition[T], data []byte, payload *T) error {
	decoder := decoders.Get().(*Decoder)
	decoder.Reset(data)
	d.Decode(payload, decoder)
	err := decoder.Finish()
	decoder.Reset(nil)
	decoders.Put(decoder)
	return validateReceived(d, payload, err)
}
