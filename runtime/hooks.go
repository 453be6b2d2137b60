package bq

import (
	"context"
	"log/slog"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// hooks are functions of the user that watch what happens. They observe: their panics are logged, and nothing they do
// changes what is done with a message (ERR-3, RTE-8).
type hooks struct {
	onError      func(ctx context.Context, err error, e *envelope.Envelope, msg pulsar.Message)
	onUnknownURN func(ctx context.Context, e *envelope.Envelope, msg pulsar.Message)
	onMismatch   func(ctx context.Context, propertyURN, bodyURN string, e *envelope.Envelope, msg pulsar.Message)
}

// WithOnError calls fn once for each failed delivery, before it is settled (ERR-1, ERR-5): a handler that failed, a URN
// without a handler, poison, and a version that is gated. The envelope has reconciled attempts (RTE-10). It is nil for a
// gated message (GATE-8) and for poison that is not a JSON object; of other poison it is what could be read. For a failed
// receive, envelope and message are nil. fn is not called for a routing mismatch, nor for what WithOnUnknownURN takes
// (ERR-2), nor for a handler that shutdown interrupted.
func WithOnError(fn func(ctx context.Context, err error, e *envelope.Envelope, msg pulsar.Message)) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.hooks.onError = fn })
}

// WithOnUnknownURN calls fn with each message whose URN has no handler, and acknowledges it in place of retrying it
// (SET-4). It never sees poison (POI-3) or gated messages (GATE-8). A panic of fn is logged and the message acknowledged
// all the same.
func WithOnUnknownURN(fn func(ctx context.Context, e *envelope.Envelope, msg pulsar.Message)) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.hooks.onUnknownURN = fn })
}

// WithOnRoutingMismatch calls fn, before the handler and whether or not there is one, when a message's property and its
// body name different URNs (RTE-2, RTE-8). Both are given trimmed (RTE-5). The property decides.
func WithOnRoutingMismatch(fn func(ctx context.Context, propertyURN, bodyURN string, e *envelope.Envelope, msg pulsar.Message)) ConsumerOption {
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

// mismatch tells of a verdict whose property and body disagree.
func (w *worker) mismatch(ctx context.Context, v verdict, msg pulsar.Message) {
	if fn := w.config.hooks.onMismatch; fn != nil && v.mismatch {
		w.observe("WithOnRoutingMismatch", func() { fn(ctx, v.urn, v.envelope.URN(), copyOf(v.envelope), msg) })
	}
}

// unknown hands over a message that nobody handles.
func (w *worker) unknown(ctx context.Context, v verdict, msg pulsar.Message) {
	w.observe("WithOnUnknownURN", func() { w.config.hooks.onUnknownURN(ctx, copyOf(v.envelope), msg) })
}

// failed tells of a failed delivery or, without a message, of a failed receive.
func (w *worker) failed(ctx context.Context, err error, e *envelope.Envelope, msg pulsar.Message) {
	if fn := w.config.hooks.onError; fn != nil {
		w.observe("WithOnError", func() { fn(ctx, err, copyOf(e), msg) })
	}
}

// observe calls a function of the user's, which must not disturb anything.
func (w *worker) observe(option string, fn func()) {
	err := isolate(func() error { fn(); return nil })
	if err != nil {
		w.config.logger.Error("a function given to "+option+" panicked", slog.Any("error", err), slog.String("stack", stackOf(err)))
	}
}
