package bq

import (
	"context"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

type traceKey struct{}

// ContextWithTraceID returns a context that carries a trace id. Messages published with it belong to the trace (ENV-6).
// The context of a handler carries the trace id of its message already.
func ContextWithTraceID(ctx context.Context, traceID string) context.Context {
	return context.WithValue(ctx, traceKey{}, traceID)
}

// TraceID returns the trace id that ctx carries, without blanks around it, or "".
func TraceID(ctx context.Context) string {
	id, _ := ctx.Value(traceKey{}).(string)
	return envelope.Trim(id)
}

type batchKey struct{}

// BatchContext returns the context that a batch handler gets, which is that of the first message: for the middleware of
// the other messages of the batch. Elsewhere ok is false.
func BatchContext(ctx context.Context) (first context.Context, ok bool) {
	first, ok = ctx.Value(batchKey{}).(context.Context)
	return first, ok
}
