package bq

import (
	"context"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// hooks are functions of the user that watch what happens. They observe: their panics are logged, and nothing they do
// changes what is done with a message (ERR-3, RTE-8). Only onUnknownURN decides something.
type hooks struct {
	onError      func(ctx context.Context, err error, e *envelope.Envelope, msg pulsar.Message)
	onUnknownURN func(ctx context.Context, e *envelope.Envelope, msg pulsar.Message) error
	onMismatch   func(ctx context.Context, propertyURN, bodyURN string, e *envelope.Envelope, msg pulsar.Message)
}

// WithOnError calls fn once for each failed delivery, before it is settled (ERR-1, ERR-5): a handler that failed, a URN
// without a handler, poison, a version that is gated, and a message that cannot be decrypted. The envelope has
// reconciled attempts (RTE-10). It is nil for a gated message (GATE-8) and for poison that is not a JSON object; of
// other poison it is what could be read. For a failed receive, envelope and message are nil. fn is not called for a
// routing mismatch, nor for what WithOnUnknownURN takes (ERR-2), nor for a handler that shutdown interrupted.
func WithOnError(fn func(ctx context.Context, err error, e *envelope.Envelope, msg pulsar.Message)) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.hooks.onError = fn })
}

// WithOnUnknownURN calls fn with each message whose URN has no handler. If fn returns nil, the message is acknowledged
// instead of retried (SET-4). If it returns an error or panics, the message is treated as without fn: it is retried and
// finally dead-lettered (SET-5, SET-6). If shutdown interrupts it, the message is delivered again. fn never sees poison
// (POI-3) or gated messages (GATE-8).
func WithOnUnknownURN(
	fn func(ctx context.Context, e *envelope.Envelope, msg pulsar.Message) error,
) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.hooks.onUnknownURN = fn })
}

// WithOnRoutingMismatch calls fn, before the handler and whether or not there is one, when a message's property and its
// body name different URNs (RTE-2, RTE-8). Both are given trimmed (RTE-5). The property decides.
func WithOnRoutingMismatch(
	fn func(ctx context.Context, propertyURN, bodyURN string, e *envelope.Envelope, msg pulsar.Message),
) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.hooks.onMismatch = fn })
}

// copyOf keeps what a hook does to its envelope from what is done with the message.
func copyOf(e *envelope.Envelope) *envelope.Envelope {
	if e == nil {
		return nil
	}
	c := *e
	return &c
}
