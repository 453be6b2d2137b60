// Package bqcheck tests services on the in-memory Pulsar of package bqtest: it hands a message to a handler and says
// what was done with it, and returns what was published, retried and dead-lettered, decoded.
//
// The broker has to keep what was consumed: make it with [bqtest.WithRetention].
package bqcheck

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// patience is how long a message may take.
const patience = time.Minute

// Handle publishes a payload, has fn handle it once, as a consumer does, with all the options, and returns what was
// done with it. It returns when the message is settled and the consumer has stopped: what fn has published, and the
// retry or dead letter, are on the broker then. If there is no settlement within a minute, or the consumer fails, the
// test fails.
func Handle[T any](
	t bqtest.TB, b *bqtest.Broker, d bq.Definition[T], fn bq.HandlerFunc[T], payload T, opts ...bq.ConsumerOption,
) (s bq.Settlement) {
	t.Helper()
	producers := bq.NewProducers(b.Client())
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	defer producers.Close(ctx)
	sent, err := bq.NewPublisher(producers, d).Publish(ctx, payload)
	if err != nil {
		t.Errorf("bqcheck: %v", err)
		return s
	}
	settled := make(chan bq.Settlement, 1)
	first := bq.Observer{Settled: func(s bq.Settlement) {
		if s.Delivery.ID != sent.ID {
			return
		}
		select {
		case settled <- s:
			cancel()
		default:
		}
	}}
	opts = append([]bq.ConsumerOption{bq.WithLogger(slog.New(slog.DiscardHandler))}, opts...)
	c, err := bq.NewConsumer(b.Client(), d.Queue, bq.Routes(bq.Handle(d, fn)), append(opts, bq.WithObserver(first))...)
	if err != nil {
		t.Errorf("bqcheck: %v", err)
		return s
	}
	if err := c.Run(ctx); err != nil {
		t.Errorf("bqcheck: %v", err)
	}
	select {
	case s = <-settled:
	default:
		t.Errorf("bqcheck: the message was not settled within %s", patience)
	}
	return s
}

// Published returns the payloads of d's URN that were published to its queue, in order, without retries. A payload that
// violates its schema fails the test.
func Published[T any](t bqtest.TB, b *bqtest.Broker, d bq.Definition[T]) (all []T) {
	t.Helper()
	for _, m := range messages(t, b, d, d.Queue.Topic) {
		if m.attempts == 0 {
			all = append(all, m.data)
		}
	}
	return all
}

// Retried returns the payloads of d's URN that were published to its queue again, in order.
func Retried[T any](t bqtest.TB, b *bqtest.Broker, d bq.Definition[T]) (all []T) {
	t.Helper()
	for _, m := range messages(t, b, d, d.Queue.Topic) {
		if m.attempts > 0 {
			all = append(all, m.data)
		}
	}
	return all
}

// A DeadLetter is a message on a dead-letter topic.
type DeadLetter[T any] struct {
	Data     T
	Reason   envelope.Reason
	Error    string
	Attempts int64 // deliveries, the last one included
}

// DeadLetters returns the messages of d's URN on the dead-letter topic of its queue, in order. Those whose payload
// violates its schema have no Data.
func DeadLetters[T any](t bqtest.TB, b *bqtest.Broker, d bq.Definition[T]) (all []DeadLetter[T]) {
	t.Helper()
	for _, m := range messages(nil, b, d, d.Queue.DeadLetterTopic) {
		block, _ := m.envelope.Block()
		all = append(all, DeadLetter[T]{m.data, block.Reason, block.Error, block.Attempts})
	}
	return all
}

type message[T any] struct {
	data     T
	attempts int64
	envelope *envelope.Envelope
}

// messages returns the messages of d's URN on a topic. Payloads that violate their schema fail the test, if there is
// one.
func messages[T any](t bqtest.TB, b *bqtest.Broker, d bq.Definition[T], topic string) (all []message[T]) {
	if topic == "" {
		return nil
	}
	for _, r := range b.Messages(topic) {
		e, err := envelope.Parse(r.Payload)
		if err != nil || e.URN() != d.URN {
			continue
		}
		m := message[T]{envelope: e}
		m.attempts, _ = strconv.ParseInt(r.Properties[envelope.PropertyAttempts], 10, 64)
		if err := d.Codec.Read(e.Data, &m.data); err != nil && t != nil {
			t.Helper()
			t.Errorf("bqcheck: %s on %s: %v", d.URN, topic, err)
			continue
		}
		all = append(all, m)
	}
	return all
}
