package bq

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/testenv"
)

// instantClient confirms every message at once.
type instantClient struct{ pulsar.Client }

func (instantClient) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	return &instantProducer{topic: o.Topic}, nil
}

type instantProducer struct {
	pulsar.Producer
	topic string
}

func (p *instantProducer) Topic() string { return p.topic }
func (p *instantProducer) Close()        {}

// ForgetsMessages says so, as the Pulsar client does.
func (p *instantProducer) ForgetsMessages() {}

func (p *instantProducer) SendAsync(
	_ context.Context, m *pulsar.ProducerMessage, done func(pulsar.MessageID, *pulsar.ProducerMessage, error),
) {
	done(nil, m, nil)
}

func newPaymentPublisher(client pulsar.Client, opts ...PublisherOption) (*Producers, *Publisher[payment]) {
	producers := NewProducers(client, opts...)
	return producers, NewPublisher(producers, Definition[payment]{
		URN: paymentDefinition.URN, Queue: Queue{Name: "payments", Topic: "payments"}, Codec: paymentDefinition.Codec,
	})
}

func ignoreResult(PublishResult, error) {}

// BenchmarkPublish is what the runtime adds to the Pulsar client: encoding and the lane.
func BenchmarkPublish(b *testing.B) {
	producers, publisher := newPaymentPublisher(instantClient{})
	ctx := context.Background()
	b.Run("sync", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := publisher.Publish(ctx, aPayment); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("async", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			publisher.PublishAsync(ctx, aPayment, ignoreResult)
		}
		if err := producers.Flush(ctx); err != nil {
			b.Fatal(err)
		}
	})
}

// TestPublishAllocations bounds what publishing a message takes: the payload and the ids, and what PublishAsync uses
// again, the body, the properties (two), the record of the message with the client's message in it, and what the client
// calls back. Publish has a channel in addition.
func TestPublishAllocations(t *testing.T) {
	testenv.SkipUnderRace(t, "it makes pools forget")
	producers, publisher := newPaymentPublisher(instantClient{})
	ctx := context.Background()
	publish := func() {
		if _, err := publisher.Publish(ctx, aPayment); err != nil {
			t.Fatal(err)
		}
	}
	if got := testing.AllocsPerRun(1000, publish); got > 8 {
		t.Errorf("Publish takes %v allocations, want at most 8", got)
	}
	async := func() { publisher.PublishAsync(ctx, aPayment, ignoreResult) }
	if got := testing.AllocsPerRun(20_000, async); got > 3 { // the first thousand have nothing to use again
		t.Errorf("PublishAsync takes %v allocations, want at most 3", got)
	}
	if err := producers.Flush(ctx); err != nil {
		t.Fatal(err)
	}
}

// batchClient has one producer, which confirms messages a hundred at a time, or when it is flushed.
type batchClient struct {
	pulsar.Client
	batchProducer
}

func (c *batchClient) CreateProducer(o pulsar.ProducerOptions) (pulsar.Producer, error) {
	c.topic = o.Topic
	return &c.batchProducer, nil
}

type batchProducer struct {
	instantProducer
	flushes atomic.Int64

	mu    sync.Mutex
	batch []func()
}

func (p *batchProducer) SendAsync(
	_ context.Context, m *pulsar.ProducerMessage, done func(pulsar.MessageID, *pulsar.ProducerMessage, error),
) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.batch = append(p.batch, func() { done(nil, m, nil) }); len(p.batch) == 100 {
		p.confirm()
	}
}

func (p *batchProducer) confirm() {
	batch := p.batch
	p.batch = nil
	go func() {
		for _, done := range batch {
			done()
		}
	}()
}

func (p *batchProducer) FlushWithCtx(context.Context) error {
	p.flushes.Add(1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.confirm()
	return nil
}

// TestAFullQueueLeavesBatchesWhole: a PublishAsync that waits for room does not cut short the batch that the client is
// filling, unless that would wait long for more.
func TestAFullQueueLeavesBatchesWhole(t *testing.T) {
	pending := WithProducerOptions(func(o *pulsar.ProducerOptions) { o.MaxPendingMessages = 250 })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := &batchClient{}
	_, publisher := newPaymentPublisher(client, WithBatching(Batching{}), pending)
	for range 10_000 {
		publisher.PublishAsync(ctx, aPayment, ignoreResult)
	}
	if n := client.flushes.Load(); n > 0 {
		t.Errorf("the producer was flushed %d times", n)
	}

	client = &batchClient{}
	producers, publisher := newPaymentPublisher(client, WithBatching(Batching{Delay: time.Hour}), WithProducerOptions(
		func(o *pulsar.ProducerOptions) { o.MaxPendingMessages = 50 }))
	for range 200 {
		publisher.PublishAsync(ctx, aPayment, func(_ PublishResult, err error) {
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := producers.Flush(ctx); err != nil {
		t.Error(err)
	}
}
