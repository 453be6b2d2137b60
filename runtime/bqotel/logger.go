package bqotel

import (
	"context"
	"log/slog"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/trace"

	bq "github.com/babelqueue/bqgen/runtime"
)

type loggerKey struct{}

// maxLogValue bounds a value that came with a message, in bytes.
const maxLogValue = 128

// Logger returns the logger of the message that a handler was called with: it adds queue, urn, message_id, trace_id
// (the contract's), otel_trace_id and attempt to each line. Outside a handler it is slog.Default().
func Logger(ctx context.Context) *slog.Logger {
	if l, ok := ctx.Value(loggerKey{}).(*slog.Logger); ok {
		return l
	}
	return slog.Default()
}

func (t *Telemetry) withLogger(
	ctx context.Context, queue string, d *bq.Delivery, sc trace.SpanContext,
) context.Context {
	base := t.logger
	if base == nil {
		base = slog.Default()
	}
	attrs := []any{
		slog.String("queue", queue), slog.String("urn", clean(d.URN)), slog.String("message_id", clean(d.ID)),
		slog.String("trace_id", clean(d.TraceID)), slog.Int64("attempt", d.Attempt()),
	}
	if sc.IsValid() {
		attrs = append(attrs, slog.String("otel_trace_id", sc.TraceID().String()))
	}
	return context.WithValue(ctx, loggerKey{}, base.With(attrs...))
}

// clean makes a value of a message one short line without control characters.
func clean(s string) string {
	if len(s) > maxLogValue {
		s = s[:maxLogValue] + "…"
	}
	if strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return s
	}
	quoted := strconv.QuoteToGraphic(s)
	return quoted[1 : len(quoted)-1]
}
