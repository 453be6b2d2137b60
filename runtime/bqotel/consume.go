package bqotel

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// Consumer returns the option that observes a consumer: a middleware around its handlers, and an observer. queue names
// it in metrics and logs. A Telemetry can observe any number of consumers.
func (t *Telemetry) Consumer(queue string) bq.ConsumerOption {
	t.metrics.zero(queue)
	return bq.ConsumerOptions(
		bq.WithMiddleware(t.middleware(queue)),
		bq.WithObserver(bq.Observer{
			Settled: func(s bq.Settlement) { t.settled(queue, &s) },
			Copied:  func(bq.Copy) { t.metrics.swallowed.Add(context.Background(), 1, inQueue(queue)) },
		}),
	)
}

func inQueue(queue string) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(attribute.String("queue", queue)))
}

// middleware makes the span of each handling, and gives the handler its logger.
func (t *Telemetry) middleware(queue string) bq.Middleware {
	return func(next bq.Handler) bq.Handler {
		return func(ctx context.Context, d *bq.Delivery) error {
			t.urns.learn(d.URN)
			name := "process " + t.spanURN(d)
			batch, isMember := bq.BatchContext(ctx)
			options := []trace.SpanStartOption{
				trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(t.consumerAttributes(d)...),
			}
			if isMember {
				options = append(options, trace.WithLinks(trace.LinkFromContext(batch)))
			}
			ctx, span := t.tracer.Start(t.parent(ctx, d), name, options...)
			if isMember { // of a batch, whose handler has the context of the first message
				trace.SpanFromContext(batch).AddLink(trace.Link{SpanContext: span.SpanContext(), Attributes: []attribute.KeyValue{
					attribute.String("messaging.message.id", d.ID),
					attribute.Int64("messaging.babelqueue.attempts", d.Attempts),
				}})
			}
			ctx = t.withLogger(ctx, queue, d, span.SpanContext())
			ended := false
			defer func() {
				if !ended { // the handler panicked
					span.End()
				}
			}()
			t.spans.Store(keyOf(d.MessageID), span.SpanContext())
			start := time.Now()
			err := next(ctx, d)
			t.metrics.handling.Record(ctx, time.Since(start).Seconds(), t.inQueueAndURN(queue, d.URN))
			if err != nil {
				fail(span, err)
			}
			if ctx.Err() != nil {
				span.SetAttributes(attribute.Bool("messaging.babelqueue.interrupted", true))
			}
			ended = true
			span.End()
			return err
		}
	}
}

// spanURN returns the URN that the span of a handling is named after: as in other SDKs the body's (OTEL-1), which
// routes the message unless a property does. The producer chooses it, so it is bounded.
func (t *Telemetry) spanURN(d *bq.Delivery) string {
	if urn := d.BodyURN(); urn != "" && !t.pure {
		return clean(urn)
	}
	return clean(d.URN)
}

// consumerAttributes are those of OTEL-2.
func (t *Telemetry) consumerAttributes(d *bq.Delivery) []attribute.KeyValue {
	attrs := []attribute.KeyValue{
		attribute.String("messaging.message.id", d.ID),
		attribute.String("messaging.message.conversation_id", d.TraceID),
		attribute.Int64("messaging.babelqueue.attempts", d.Attempts),
	}
	if t.pure {
		return append(attrs,
			attribute.String("messaging.system", "pulsar"),
			attribute.String("messaging.operation.type", "process"),
			attribute.String("messaging.operation.name", "process"),
			attribute.String("messaging.destination.name", d.Topic))
	}
	return append(attrs,
		attribute.String("messaging.system", "babelqueue"),
		attribute.String("messaging.operation", "process"),
		attribute.String("messaging.destination.name", d.Queue))
}

func (t *Telemetry) inQueueAndURN(queue, urn string) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(
		attribute.String("queue", queue), attribute.String("urn", t.urns.name(urn))))
}

// keyOf identifies a delivery in this process.
func keyOf(id pulsar.MessageID) string {
	if id == nil {
		return ""
	}
	return fmt.Sprintf("%d:%d:%d:%d", id.LedgerID(), id.EntryID(), id.PartitionIdx(), id.BatchIdx())
}

// settled counts a settlement, and makes the span of what was done: below the handling or, if no handler has seen the
// message, below the publisher's.
func (t *Telemetry) settled(queue string, s *bq.Settlement) {
	ctx := context.Background()
	handling, handled := t.spans.LoadAndDelete(keyOf(s.Delivery.MessageID))
	urn := unknownURN
	if handled {
		urn = t.urns.name(s.Delivery.URN)
	}
	t.metrics.deliveries.Add(ctx, 1, metric.WithAttributeSet(attribute.NewSet(
		attribute.String("queue", queue), attribute.String("urn", urn), attribute.String("outcome", outcomeOf(s)))))
	t.metrics.attempts.Record(ctx, s.Delivery.Attempt(), inQueue(queue))
	switch s.Action {
	case bq.DeadLettered:
		t.metrics.deadLetters.Add(ctx, 1, withReason(queue, reasonOf(s.Reason)))
	case bq.Skipped:
		t.metrics.skipped.Add(ctx, 1, withReason(queue, skippedFor(s.Reason)))
	}
	switch {
	case handled && s.Action == bq.Acknowledged && s.SettleErr == nil:
		return // the handling says it all
	case handled:
		ctx = trace.ContextWithSpanContext(ctx, handling.(trace.SpanContext))
	case s.Err == nil:
		return // released at shutdown, or skipped: nothing was done
	default:
		ctx = t.parent(ctx, &s.Delivery)
	}
	attrs := append(t.consumerAttributes(&s.Delivery), attribute.String("messaging.babelqueue.outcome", outcomeOf(s)))
	if s.Reason != "" {
		attrs = append(attrs, attribute.String("messaging.babelqueue.reason", reasonOf(s.Reason)))
	}
	_, span := t.tracer.Start(ctx, "settle "+outcomeOf(s), trace.WithSpanKind(trace.SpanKindInternal),
		trace.WithAttributes(attrs...))
	if s.SettleErr != nil {
		fail(span, s.SettleErr)
	} else if !handled {
		fail(span, s.Err)
	}
	span.End()
}

// outcomes are what a delivery can end with; anything else is "other".
var outcomes = []bq.Action{
	bq.Acknowledged, bq.Retried, bq.DeadLettered, bq.Dropped, bq.Recovered, bq.Returned, bq.Released,
	bq.Skipped,
}

func outcomeOf(s *bq.Settlement) string {
	for _, a := range outcomes {
		if s.Action == a {
			return word(string(a))
		}
	}
	return "other"
}

// word makes a label of an action: dead_lettered.
func word(action string) string {
	b := []byte(action)
	for i := range b {
		if b[i] == '-' || b[i] == ' ' {
			b[i] = '_'
		}
	}
	return string(b)
}

// reasons are those of dead letters; anything else is "other".
var reasons = []envelope.Reason{envelope.Failed, envelope.UnknownURN, envelope.Poison, bq.Gated, bq.Undecryptable}

func reasonOf(r envelope.Reason) string {
	for _, known := range reasons {
		if r == known {
			return word(string(r))
		}
	}
	return "other"
}

// skipReasons are why a service acknowledges a message unseen (FAN-5 to FAN-7); anything else is "other".
var skipReasons = []envelope.Reason{envelope.UnknownURN, bq.ForeignRetry, bq.OtherService}

func skippedFor(r envelope.Reason) string {
	if slices.Contains(skipReasons, r) {
		return word(string(r))
	}
	return "other"
}

func withReason(queue, reason string) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(
		attribute.String("queue", queue), attribute.String("reason", reason)))
}
