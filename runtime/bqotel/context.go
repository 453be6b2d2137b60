package bqotel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	bq "github.com/babelqueue/bqgen/runtime"
)

// maxHeader bounds a traceparent or tracestate that is looked at, in bytes. Longer ones are passed on and not used.
const maxHeader = 512

// A carrier is the properties of a received message, of which only the two of the W3C are used (OTEL-4).
type carrier struct{ d *bq.Delivery }

func (c carrier) Get(name string) string {
	v := c.d.Property(name)
	if len(v) > maxHeader {
		return ""
	}
	return v
}

func (c carrier) Set(string, string) {}
func (c carrier) Keys() []string     { return []string{"traceparent", "tracestate"} }

var _ propagation.TextMapCarrier = carrier{}

// parent returns ctx with the span that a delivery belongs below: that of a valid traceparent, else one that is derived
// from the trace id (OTEL-4), else none.
func (t *Telemetry) parent(ctx context.Context, d *bq.Delivery) context.Context {
	ctx = trace.ContextWithSpanContext(ctx, trace.SpanContext{})
	with := t.propagator.Extract(ctx, carrier{d})
	if trace.SpanContextFromContext(with).IsValid() {
		return with
	}
	if sc, ok := derived(d.TraceID); ok {
		return trace.ContextWithRemoteSpanContext(ctx, sc)
	}
	return ctx
}

// derived returns the span context that belongs to a trace id of the contract (OTEL-3).
func derived(traceID string) (trace.SpanContext, bool) {
	if traceID == "" {
		return trace.SpanContext{}, false
	}
	sum := sha256.Sum256([]byte("babelqueue-span:" + traceID))
	spanID := trace.SpanID(sum[:8])
	if !spanID.IsValid() {
		spanID[7] = 1
	}
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: traceIDOf(traceID), SpanID: spanID, TraceFlags: trace.FlagsSampled, Remote: true,
	}), true
}

// traceIDOf returns the 128 bits of a trace id: its 32 hexadecimal digits without dashes, else a part of its hash.
func traceIDOf(s string) (id trace.TraceID) {
	if plain := strings.ReplaceAll(s, "-", ""); len(plain) == 2*len(id) {
		if raw, err := hex.DecodeString(plain); err == nil && trace.TraceID(raw).IsValid() {
			return trace.TraceID(raw)
		}
	}
	sum := sha256.Sum256([]byte(s))
	return trace.TraceID(sum[:len(id)])
}

// dashed returns a trace id in the form of a UUID (OTEL-4).
func dashed(id trace.TraceID) string {
	s := id.String()
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
