package bqotel

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	bq "github.com/babelqueue/bqgen/runtime"
)

// instruments are the metrics.
type instruments struct {
	meter       metric.Meter
	published   metric.Int64Counter
	publishing  metric.Float64Histogram
	deliveries  metric.Int64Counter
	handling    metric.Float64Histogram
	attempts    metric.Int64Histogram
	deadLetters metric.Int64Counter
	skipped     metric.Int64Counter
	swallowed   metric.Int64Counter
	unsettled   metric.Int64ObservableGauge
	oldest      metric.Float64ObservableGauge
	paused      metric.Int64ObservableGauge
}

// seconds are the bounds of histograms of durations, from quick handlers to slow ones.
var seconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}

func newInstruments(m metric.Meter) (*instruments, error) {
	i := &instruments{meter: m}
	var err error
	set := func(what string, e error) {
		if e != nil && err == nil {
			err = fmt.Errorf("bqotel: the metric %s: %w", what, e)
		}
	}
	var e error
	i.published, e = m.Int64Counter("bq.published", metric.WithDescription("Messages published, by outcome."))
	set("bq.published", e)
	i.publishing, e = m.Float64Histogram("bq.publish.duration", metric.WithUnit("s"),
		metric.WithDescription("Time until the broker confirmed a message, or publishing failed."),
		metric.WithExplicitBucketBoundaries(seconds...))
	set("bq.publish.duration", e)
	i.deliveries, e = m.Int64Counter("bq.deliveries", metric.WithDescription("Deliveries, by what was done with them."))
	set("bq.deliveries", e)
	i.handling, e = m.Float64Histogram("bq.handler.duration", metric.WithUnit("s"),
		metric.WithDescription("Time that handlers took, each run by itself."),
		metric.WithExplicitBucketBoundaries(seconds...))
	set("bq.handler.duration", e)
	i.attempts, e = m.Int64Histogram("bq.attempts",
		metric.WithDescription("The number of each delivery that was settled; 1 is the first."),
		metric.WithExplicitBucketBoundaries(1, 2, 3, 4, 5, 7, 10, 20))
	set("bq.attempts", e)
	i.deadLetters, e = m.Int64Counter("bq.dead_letters", metric.WithDescription("Dead letters, by reason."))
	set("bq.dead_letters", e)
	i.skipped, e = m.Int64Counter("bq.skipped",
		metric.WithDescription("Messages that are not for this service of the queue, by reason."))
	set("bq.skipped", e)
	i.swallowed, e = m.Int64Counter("bq.swallowed",
		metric.WithDescription("Copies of messages that the process was working on or had settled."))
	set("bq.swallowed", e)
	i.unsettled, e = m.Int64ObservableGauge("bq.unsettled",
		metric.WithDescription("Messages that were received and are not settled."))
	set("bq.unsettled", e)
	i.oldest, e = m.Float64ObservableGauge("bq.oldest_unsettled", metric.WithUnit("s"),
		metric.WithDescription("For how long the oldest message has not been settled; no value if there is none."))
	set("bq.oldest_unsettled", e)
	i.paused, e = m.Int64ObservableGauge("bq.paused", metric.WithDescription("1 while a consumer is paused."))
	set("bq.paused", e)
	return i, err
}

// zero makes the series that alerts look at exist before anything happens, so that the first dead letter is an
// increase.
func (i *instruments) zero(queue string) {
	ctx := context.Background()
	for _, r := range reasons {
		i.deadLetters.Add(ctx, 0, withReason(queue, reasonOf(r)))
	}
	for _, r := range skipReasons {
		i.skipped.Add(ctx, 0, withReason(queue, skippedFor(r)))
	}
	i.swallowed.Add(ctx, 0, inQueue(queue))
}

// Watch observes what a consumer has in hand, until stop is called: unsettled messages, the age of the oldest, and
// whether it is paused. A consumer that does not run has no values.
func (t *Telemetry) Watch(queue string, c *bq.Consumer) (stop func() error, err error) {
	i := t.metrics
	set := metric.WithAttributeSet(attribute.NewSet(attribute.String("queue", queue)))
	r, err := i.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		s := c.Status()
		if s.State == bq.StateIdle || s.State == bq.StateStarting {
			return nil
		}
		o.ObserveInt64(i.unsettled, int64(s.Unsettled), set)
		if s.Unsettled > 0 && !s.Received.IsZero() {
			o.ObserveFloat64(i.oldest, time.Since(s.Received).Seconds(), set)
		}
		paused := int64(0)
		if s.State == bq.StatePaused {
			paused = 1
		}
		o.ObserveInt64(i.paused, paused, set)
		return nil
	}, i.unsettled, i.oldest, i.paused)
	if err != nil {
		return nil, fmt.Errorf("bqotel: watch the consumer of %s: %w", queue, err)
	}
	return r.Unregister, nil
}
