package bqtest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"go.uber.org/goleak"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// TestMain checks that no test leaves a goroutine behind. The real client, in tests against a real broker, leaves some:
// a closed producer's until its send timeout, those of an unsubscribed consumer and of a terminated topic's producer
// for ever, one per message in chunks for a minute.
func TestMain(m *testing.M) {
	const client = "github.com/apache/pulsar-client-go/pulsar."
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction(client+"(*partitionProducer).failTimeoutMessages"),
		goleak.IgnoreAnyFunction(client+"(*partitionProducer).runEventsLoop.func1"),
		goleak.IgnoreAnyFunction(client+"(*chunkedMsgCtxMap).discardChunkIfExpire"),
		goleak.IgnoreAnyFunction(client+"(*partitionConsumer).dispatcher"),
		goleak.IgnoreAnyFunction(client+"(*partitionConsumer).runEventsLoop"),
		goleak.IgnoreAnyFunction(client+"newAckGroupingTracker.func1"),
	)
}

// start is where manual clocks start.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// patience bounds waiting for what should come at once.
const patience = 10 * time.Second

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func subscribe(t *testing.T, client pulsar.Client, opts pulsar.ConsumerOptions) pulsar.Consumer {
	t.Helper()
	if opts.Topic == "" && opts.Topics == nil && opts.TopicsPattern == "" {
		opts.Topic = "orders"
	}
	if opts.SubscriptionName == "" {
		opts.SubscriptionName = "sub"
	}
	c, err := client.Subscribe(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func produce(t *testing.T, client pulsar.Client, opts pulsar.ProducerOptions) pulsar.Producer {
	t.Helper()
	if opts.Topic == "" {
		opts.Topic = "orders"
	}
	p, err := client.CreateProducer(opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func send(t *testing.T, p pulsar.Producer, m pulsar.ProducerMessage) pulsar.MessageID {
	t.Helper()
	id, err := p.Send(deadline(t), &m)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// sendTexts sends one message per payload.
func sendTexts(t *testing.T, p pulsar.Producer, payloads ...string) {
	t.Helper()
	for _, s := range payloads {
		send(t, p, pulsar.ProducerMessage{Payload: []byte(s)})
	}
}

func receive(t *testing.T, c pulsar.Consumer) pulsar.Message {
	t.Helper()
	m, err := c.Receive(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// receiveTexts receives n messages and returns their payloads, with the redelivery count behind a slash unless it is
// zero.
func receiveTexts(t *testing.T, c pulsar.Consumer, n int) []string {
	t.Helper()
	texts := make([]string, n)
	for i := range texts {
		texts[i] = text(receive(t, c))
	}
	return texts
}

func text(m pulsar.Message) string {
	if n := m.RedeliveryCount(); n > 0 {
		return fmt.Sprintf("%s/%d", m.Payload(), n)
	}
	return string(m.Payload())
}

// ready returns all that the consumer has ready, without waiting: the broker hands out messages before the call that
// made them available returns.
func ready(t *testing.T, c pulsar.Consumer) []string {
	t.Helper()
	var texts []string
	for {
		ctx := &countdown{Context: t.Context()}
		m, err := c.Receive(ctx)
		if err != nil {
			return texts
		}
		texts = append(texts, text(m))
	}
}

// countdown is a context that ends once it is waited on, so that Receive looks once and returns.
type countdown struct {
	context.Context
	once sync.Once
	done chan struct{}
	over bool
}

func (c *countdown) Done() <-chan struct{} {
	c.once.Do(func() { c.done = make(chan struct{}); close(c.done); c.over = true })
	return c.done
}

func (c *countdown) Err() error {
	if c.over {
		return context.Canceled
	}
	return nil
}

func ack(t *testing.T, c pulsar.Consumer, ms ...pulsar.Message) {
	t.Helper()
	for _, m := range ms {
		if err := c.Ack(m); err != nil {
			t.Fatal(err)
		}
	}
}

// recorder is a TB that notes what is reported, to test the reporting itself.
type recorder struct {
	*testing.T
	mu       sync.Mutex
	reported []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reported = append(r.reported, fmt.Sprintf(format, args...))
}

func until(t *testing.T, b *bqtest.Broker, ok func() bool) {
	t.Helper()
	if err := b.WaitUntil(deadline(t), ok); err != nil {
		t.Fatal(err)
	}
}
