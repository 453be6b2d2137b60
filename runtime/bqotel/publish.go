package bqotel

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	bq "github.com/babelqueue/bqgen/runtime"
)

// Publish calls send inside a producer span (OTEL-1). send publishes a message of the URN with the option that it is
// given, which contains traceparent and tracestate and, unless the context carries a trace id already (ENV-6), the
// span's trace as the trace id (OTEL-4).
func (t *Telemetry) Publish(
	ctx context.Context, urn string, send func(context.Context, bq.PublishOption) (bq.PublishResult, error),
) (bq.PublishResult, error) {
	t.urns.learn(urn)
	name, attrs := "publish "+urn, t.producerAttributes(urn)
	if t.pure {
		name = "send " + urn
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindProducer), trace.WithAttributes(attrs...))
	defer span.End()
	start := time.Now()
	result, err := send(ctx, t.stamp(ctx))
	outcome := "confirmed"
	if err != nil {
		outcome = "failed"
		fail(span, err)
	}
	if result.ID != "" {
		span.SetAttributes(attribute.String("messaging.message.id", result.ID),
			attribute.String("messaging.message.conversation_id", result.TraceID))
	}
	set := metric.WithAttributeSet(attribute.NewSet(
		attribute.String("urn", t.urns.name(urn)), attribute.String("outcome", outcome)))
	t.metrics.published.Add(ctx, 1, set)
	t.metrics.publishing.Record(ctx, time.Since(start).Seconds(), set)
	return result, err
}

// stamp returns the option that puts the trace of a context into a message. A context without a trace stamps nothing.
func (t *Telemetry) stamp(ctx context.Context) bq.PublishOption {
	headers := propagation.MapCarrier{}
	t.propagator.Inject(ctx, headers)
	options := []bq.PublishOption{bq.WithProperties(headers)}
	if sc := trace.SpanContextFromContext(ctx); sc.IsValid() && bq.TraceID(ctx) == "" {
		options = append(options, bq.WithTraceID(dashed(sc.TraceID())))
	}
	return bq.PublishOptions(options...)
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
