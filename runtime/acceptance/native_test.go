package acceptance

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// nativePolicy sets Pulsar's own dead-letter policy.
func nativePolicy(deliveries uint32, topic string) bq.ConsumerOption {
	return bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
		o.DLQ = &pulsar.DLQPolicy{MaxDeliveries: deliveries, DeadLetterTopic: topic, InitialSubscriptionName: "parked"}
	})
}

// L64: with Pulsar's own policy the client moves what fails, and this package publishes nothing.
func TestTheClientMovesWhatFails(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		parked := q.DeadLetterTopic
		q.DeadLetterTopic = ""
		var failed, final, fine atomic.Int64
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			switch m.Data.ID {
			case 1:
				failed.Add(1)
				return errors.New("no")
			case 2:
				final.Add(1)
				return bq.Permanent(errors.New("never"))
			}
			fine.Add(1)
			return nil
		}, nativePolicy(3, parked), bq.WithConcurrency(4))
		b.publish(t, q, order{ID: 1, Note: "failed"})
		b.publish(t, q, order{ID: 2, Note: "final"})
		b.publish(t, q, order{ID: 3, Note: "fine"})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte("poison"), Properties: map[string]string{"own": "x"}})
		b.send(t, q.Topic, &pulsar.ProducerMessage{
			Payload: []byte(foreign), Properties: foreignProperties(map[string]string{"bq-schema-version": "9"}),
		})
		consumer := b.subscribe(t, parked, "parked")
		var bodies []string
		for range 4 {
			m := receive(t, consumer)
			bodies = append(bodies, string(m.Payload()))
			if m.Properties()["REAL_TOPIC"] == "" || strings.Contains(string(m.Payload()), "dead_letter") {
				t.Errorf("L64: moved %s with %v", m.Payload(), m.Properties())
			}
			if attempts := m.Properties()["bq-attempts"]; attempts != "" && attempts != "0" {
				t.Errorf("L64: the message was rewritten: %v", m.Properties())
			}
		}
		for _, want := range []string{`"note":"failed"`, `"note":"final"`, "poison", foreign} {
			if !slices.ContainsFunc(bodies, func(body string) bool { return strings.Contains(body, want) }) {
				t.Errorf("L64: %s was not moved, only %q", want, bodies)
			}
		}
		actions := s.settle(13)
		if actions[bq.Acknowledged] != 1 || actions[bq.Retried] != 12 {
			t.Errorf("L64: %v, want 1 acknowledged and 12 given back", actions)
		}
		if failed.Load() != 3 || final.Load() != 1 || fine.Load() != 1 {
			t.Errorf("L64: %d, %d and %d runs, want 3, 1 and 1", failed.Load(), final.Load(), fine.Load())
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if left := b.backlog(t, q, pulsar.Shared); left != 0 {
			t.Errorf("L64: %d messages are left", left)
		}
	})
}

// L64: a message has one owner.
func TestPoliciesWithTwoOwnersAreRefused(t *testing.T) {
	b := inMemory(t)
	plain := newQueue()
	parked := plain.DeadLetterTopic
	plain.DeadLetterTopic = ""
	own := newQueue()
	five := plain
	five.MaxAttempts = 5
	for what, c := range map[string]struct {
		q    bq.Queue
		opts []bq.ConsumerOption
	}{
		"WithSubscriptionType": {plain, []bq.ConsumerOption{
			nativePolicy(3, parked), bq.WithSubscriptionType(pulsar.Exclusive),
		}},
		own.DeadLetterTopic:              {own, []bq.ConsumerOption{nativePolicy(3, "another")}},
		"dead_letter: false":             {own, []bq.ConsumerOption{nativePolicy(3, "another")}},
		"max attempts of the queue is 5": {five, []bq.ConsumerOption{nativePolicy(3, parked)}},
		"max attempts of the queue is 2": {plain, []bq.ConsumerOption{nativePolicy(3, parked), bq.WithMaxAttempts(2)}},
		"MaxDeliveries is 0":             {plain, []bq.ConsumerOption{nativePolicy(0, parked)}},
		"it has no DeadLetterTopic":      {plain, []bq.ConsumerOption{nativePolicy(3, "")}},
		"EnableZeroQueueConsumer": {plain, []bq.ConsumerOption{
			nativePolicy(3, parked),
			bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.EnableZeroQueueConsumer = true }),
		}},
		"queue's own topic": {plain, []bq.ConsumerOption{nativePolicy(3, plain.Topic)}},
		"WithOnExhausted": {plain, []bq.ConsumerOption{
			nativePolicy(3, parked),
			bq.WithOnExhausted(func(context.Context, *bq.Delivery, error) error { return nil }),
		}},
	} {
		_, err := bq.NewConsumer(b.client, c.q, bq.Routes(bq.Handle(orders(c.q), succeed)), c.opts...)
		var refused *bq.CustomizerError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), what) {
			t.Errorf("L64: %s: %v", what, err)
		}
	}
}
