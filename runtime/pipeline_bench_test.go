package bq

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// An endless consumer has a message for every call of Receive, up to a number, and confirms what is acknowledged.
type endless struct {
	pulsar.Consumer
	body       []byte
	properties map[string]string
	next, most int64
}

type endlessMessage struct {
	pulsar.Message
	c   *endless
	id  pulsar.MessageID
	key string
}

func (m *endlessMessage) Topic() string                                   { return endlessTopic }
func (m *endlessMessage) Payload() []byte                                 { return m.c.body }
func (m *endlessMessage) Properties() map[string]string                   { return m.c.properties }
func (m *endlessMessage) ID() pulsar.MessageID                            { return m.id }
func (m *endlessMessage) Key() string                                     { return m.key }
func (m *endlessMessage) OrderingKey() string                             { return "" }
func (m *endlessMessage) RedeliveryCount() uint32                         { return 0 }
func (m *endlessMessage) PublishTime() time.Time                          { return time.Time{} }
func (m *endlessMessage) GetEncryptionContext() *pulsar.EncryptionContext { return nil }

const endlessTopic = "persistent://public/default/payments"

var endlessKeys = func() (keys [1000]string) {
	for i := range keys {
		keys[i] = fmt.Sprint("customer-", i)
	}
	return keys
}()

func (c *endless) Receive(ctx context.Context) (pulsar.Message, error) {
	n := c.next
	c.next++
	if n >= c.most {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return &endlessMessage{c: c, id: pulsar.NewMessageID(n/1000, n%1000, 0, 0), key: endlessKeys[n%1000]}, nil
}

func (c *endless) AckIDList([]pulsar.MessageID) error { return nil }

// newEndless returns a consumer of n payments, and the routes that count them.
func newEndless(tb testing.TB, n int) (*endless, RouteSet, <-chan struct{}) {
	header := newPaymentHeader(tb)
	body, err := encodeEnvelope(&paymentDefinition, header, &aPayment)
	if err != nil {
		tb.Fatal(err)
	}
	all := make(chan struct{})
	var handled atomic.Int64
	route := Handle(paymentDefinition, func(context.Context, *Message[payment]) error {
		if handled.Add(1) == int64(n) {
			close(all)
		}
		return nil
	})
	return &endless{body: body, properties: header.Properties(), most: int64(n)}, Routes(route), all
}

// consumeEndless carries n messages from intake to acker, without a broker.
func consumeEndless(tb testing.TB, n int) {
	source, routes, all := newEndless(tb, n)
	consumeAll(tb, source, routes, all)
}

// consumeAll consumes until all is closed.
func consumeAll(tb testing.TB, source *endless, routes RouteSet, all <-chan struct{}) {
	c, err := NewConsumer(nil, Queue{Name: "payments", Topic: "payments"}, routes, WithPulsarConsumer(source),
		WithSubscriptionType(pulsar.Shared), WithConcurrency(8), WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	<-all
	cancel()
	if err := errors.Join(<-ended); err != nil {
		tb.Fatal(err)
	}
}

// newEndlessBatches is newEndless for a batch handler.
func newEndlessBatches(tb testing.TB, n int) (*endless, RouteSet, <-chan struct{}) {
	source, _, _ := newEndless(tb, n)
	all := make(chan struct{})
	var handled atomic.Int64
	route := HandleBatch(paymentDefinition, func(_ context.Context, batch []*Message[payment]) error {
		if handled.Add(int64(len(batch))) == int64(n) {
			close(all)
		}
		return nil
	}, Batch{Size: 50, Wait: time.Millisecond})
	return source, Routes(route), all
}

// BenchmarkBatches is BenchmarkPipeline with a batch handler.
func BenchmarkBatches(b *testing.B) {
	b.ReportAllocs()
	source, routes, all := newEndlessBatches(b, b.N)
	consumeAll(b, source, routes, all)
}

// TestBatchesTakeNoMoreAllocations compares allocations, which hardly depend on how busy the machine is. How
// long both took is in the log.
func TestBatchesTakeNoMoreAllocations(t *testing.T) {
	testenv.SkipUnderRace(t, "it makes pools forget")
	const n = 20_000
	cost := func(make func(testing.TB, int) (*endless, RouteSet, <-chan struct{})) (allocations float64, took int64) {
		result := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				source, routes, all := make(b, n)
				consumeAll(b, source, routes, all)
			}
		})
		return float64(result.AllocsPerOp()) / n, result.NsPerOp() / n
	}
	single, singleTook := cost(newEndless)
	batched, batchedTook := cost(newEndlessBatches)
	t.Logf("single: %.2f allocations, %d ns; in batches: %.2f allocations, %d ns",
		single, singleTook, batched, batchedTook)
	if batched > single {
		t.Errorf("a message takes %.2f allocations in a batch, and %.2f alone", batched, single)
	}
}

// BenchmarkPipeline carries typed messages from intake to acker, without a broker. What the source itself allocates (a
// message and two for its id) is in it.
func BenchmarkPipeline(b *testing.B) {
	b.ReportAllocs()
	consumeEndless(b, b.N)
}

// BenchmarkDecode is what a message costs between its bytes and its handler: envelope, classification, payload.
func BenchmarkDecode(b *testing.B) {
	source, routes, _ := newEndless(b, b.N)
	c, err := NewConsumer(nil, Queue{Name: "payments", Topic: "payments"}, routes, WithPulsarConsumer(source),
		WithSubscriptionType(pulsar.Shared))
	if err != nil {
		b.Fatal(err)
	}
	m := &endlessMessage{c: source, id: pulsar.NewMessageID(1, 1, 0, 0)}
	handlers := c.handlers()
	b.ReportAllocs()
	for b.Loop() {
		v := flow.Classify(m, handlers, envelope.Parse)
		if err := v.Handler(b.Context(), &v, m); err != nil {
			b.Fatal(err)
		}
	}
}

// TestPipelineAllocations bounds what a message costs on its way from intake to acker.
func TestPipelineAllocations(t *testing.T) {
	testenv.SkipUnderRace(t, "it makes pools forget")
	const most, ofSource, n = 8, 2, 20_000
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			consumeEndless(b, n)
		}
	})
	if got := float64(result.AllocsPerOp())/n - ofSource; got > most {
		t.Errorf("a message takes %.1f allocations, want at most %d", got, most)
	}
}
