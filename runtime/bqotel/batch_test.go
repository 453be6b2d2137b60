package bqotel_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// TestABatchOfManyTraces is O43: each message has a span in its own trace, and those of a batch are linked.
func TestABatchOfManyTraces(t *testing.T) {
	l := newLab(t)
	client := bqtest.NewBroker(t).Client()
	const size = 4
	traces := make(chan trace.TraceID, size)
	batch := func(ctx context.Context, _ []*bq.Message[cancelled]) error {
		traces <- trace.SpanContextFromContext(ctx).TraceID()
		return nil
	}
	c, err := bq.NewConsumer(client, orderevents.OrdersQueue(),
		bq.Routes(orderevents.OnOrderCancelledBatch(batch, bq.Batch{Size: size, Wait: time.Minute})),
		l.Consumer("orders"), bq.WithUnordered(), bq.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	<-c.Ready()
	publishers := orderevents.NewPublishers(client, l.Publisher())
	defer publishers.Close(context.Background())
	want := map[trace.TraceID]bool{}
	for range size {
		ctx, root := l.tracers.Tracer("test").Start(context.Background(), "root")
		want[root.SpanContext().TraceID()] = true
		if _, err := l.publish(ctx, publishers); err != nil {
			t.Fatal(err)
		}
		root.End()
	}
	eventually(t, "the batch", func() bool { return len(l.ended("process ")) == size })
	first := <-traces
	for _, s := range l.ended("process ") {
		id := s.SpanContext().TraceID()
		if !want[id] {
			t.Errorf("a span of the trace %s, which is nobody's", id)
		}
		delete(want, id)
		links := 1
		if id == first {
			links = size - 1
		}
		if len(s.Links()) != links {
			t.Errorf("%d links, want %d", len(s.Links()), links)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
