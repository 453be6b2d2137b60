package bq

import (
	"context"

	"github.com/babelqueue/bqgen/runtime/payload"
)

// A Definition describes one URN, whose payload is a T. Generated code contains one for each URN.
type Definition[T any] struct {
	URN   string
	Queue Queue           // where the messages are published
	Key   func(*T) string // returns the message key; nil if messages have none
	Codec payload.Codec[T]
}

// A HandlerFunc handles the messages of one URN. If it returns nil, the message is acknowledged. Otherwise the message
// is retried or dead-lettered; see the package documentation, [Permanent] and [RetryAfter].
//
// ctx carries the trace of the message, so a message published with it continues the trace. It ends when the consumer
// is stopped and the grace period is over. An error returned after that does not count as an attempt; the message is
// delivered again.
type HandlerFunc[T any] func(ctx context.Context, m *Message[T]) error
