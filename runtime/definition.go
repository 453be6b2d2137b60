package bq

import (
	"context"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/payload"
)

// A Definition is what the runtime knows of one URN whose payload is a T. Generated code has one for each URN.
type Definition[T any] struct {
	URN   string
	Queue Queue
	Key   func(*T) string // the message key; nil for none
	Codec payload.Codec[T]
}

// A HandlerFunc handles the messages of one URN. What its error means is in the package's documentation.
//
// ctx carries the message's trace, so publishing with it continues the trace. It ends when the consumer is told to
// stop and the grace period is over; an error returned after that is no failed attempt, the message is delivered again.
type HandlerFunc[T any] func(ctx context.Context, m *Message[T]) error

// encodeEnvelope returns the body of a message with the payload, or a *PayloadError when it is not valid.
func encodeEnvelope[T any](d *Definition[T], header envelope.Header, v *T) ([]byte, error) {
	if err := d.Codec.Check(v); err != nil {
		return nil, err
	}
	return envelope.Append(make([]byte, 0, 512), header, func(dst []byte) ([]byte, error) {
		return d.Codec.Append(dst, v)
	})
}
