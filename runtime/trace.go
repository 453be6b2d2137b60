package bq

import (
	"context"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

type traceKey struct{}

// ContextWithTraceID returns a context with which messages are published under the trace id. A handler's context has
// its message's trace id already.
func ContextWithTraceID(ctx context.Context, traceID string) context.Context {
	return context.WithValue(ctx, traceKey{}, traceID)
}

// TraceID returns the trace id that ctx carries, or "".
func TraceID(ctx context.Context) string {
	id, _ := ctx.Value(traceKey{}).(string)
	return envelope.Trim(id)
}
