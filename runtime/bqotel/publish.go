package bqotel

import (
	"context"
	"maps"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	bq "github.com/babelqueue/bqgen/runtime"
)

// Publisher returns the option that observes publishers: a producer span around each message (OTEL-1), whose
// traceparent and tracestate become properties. Unless the message has a trace id already, by the context (ENV-6) or by
// bq.WithTraceID, it gets that of the span's trace (OTEL-4).
func (t *Telemetry) Publisher() bq.PublisherOption { return bq.WithPublishMiddleware(t.publish) }

func (t *Telemetry) publish(next bq.PublishHandler) bq.PublishHandler {
	return func(ctx context.Context, m *bq.OutgoingMessage) (bq.PublishResult, error) {
		urn := m.URN()
		t.urns.learn(urn)
		name := "publish " + urn
		if t.pure {
			name = "send " + urn
		}
		ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindProducer),
			trace.WithAttributes(t.producerAttributes(urn)...))
		t.stamp(ctx, m)
		span.SetAttributes(attribute.String("messaging.message.id", m.ID()),
			attribute.String("messaging.message.conversation_id", m.TraceID()))
		start := time.Now()
		m.OnResult(func(_ bq.PublishResult, err error) {
			outcome := "confirmed"
			if err != nil {
				outcome = "failed"
				fail(span, err)
			}
			set := metric.WithAttributeSet(attribute.NewSet(
				attribute.String("urn", t.urns.name(urn)), attribute.String("outcome", outcome)))
			t.metrics.published.Add(ctx, 1, set)
			t.metrics.publishing.Record(ctx, time.Since(start).Seconds(), set)
			span.End()
		})
		return next(ctx, m)
	}
}

// stamp puts the trace of a context into a message. A context without a trace stamps nothing.
func (t *Telemetry) stamp(ctx context.Context, m *bq.OutgoingMessage) {
	headers := propagation.MapCarrier{}
	t.propagator.Inject(ctx, headers)
	if len(headers) > 0 {
		properties := maps.Clone(m.Properties)
		if properties == nil {
			properties = map[string]string{}
		}
		maps.Copy(properties, headers)
		m.Properties = properties
	}
	if sc := trace.SpanContextFromContext(ctx); sc.IsValid() && bq.TraceID(ctx) == "" {
		m.SetTraceID(dashed(sc.TraceID()))
	}
}

// producerAttributes are those of OTEL-2.
func (t *Telemetry) producerAttributes(urn string) []attribute.KeyValue {
	if t.pure {
		return []attribute.KeyValue{
			attribute.String("messaging.system", "pulsar"),
			attribute.String("messaging.operation.type", "send"),
			attribute.String("messaging.operation.name", "publish"),
		}
	}
	return []attribute.KeyValue{
		attribute.String("messaging.system", "babelqueue"),
		attribute.String("messaging.operation", "publish"),
		attribute.String("messaging.destination.name", urn),
	}
}

// fail records an error on a span (OTEL-5).
func fail(span trace.Span, err error) {
	span.RecordError(err)
	span.SetStatus(codes.Error, err.Error())
}
