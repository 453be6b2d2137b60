package acceptance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

func TestRetryByNegativeAcknowledgement(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, subscription := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.KeyShared} {
			for maxAttempts := 1; maxAttempts <= 3; maxAttempts++ {
				t.Run(fmt.Sprintf("%v/%d", subscription, maxAttempts), func(t *testing.T) {
					q := newQueue()
					handle, calls := failing(always)
					s := b.serve(t, q, handle, bq.WithRetryByNack(), bq.WithSubscriptionType(subscription),
						bq.WithMaxAttempts(maxAttempts))
					b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign), Properties: foreignProperties(nil)})
					all := s.until()
					if last := all[len(all)-1]; last.Action != bq.DeadLettered || calls.Load() != int64(maxAttempts) ||
						last.Delivery.Property("bq-attempts") != "0" {
						t.Errorf("S21, RET-7: %d calls, ended %+v", calls.Load(), last)
					}
					want := strings.Replace(foreign, `"attempts":0 }`,
						fmt.Sprintf(`"attempts":%d ,"dead_letter":{"reason":"failed"`, maxAttempts), 1)
					if got := string(b.deadLetter(t, q).Payload()); !strings.HasPrefix(got, want) {
						t.Errorf("DLQ-3: got %s", got)
					}
				})
			}
		}
	})
}

func TestRetryAfterWaitsWhenRetriesAreNegativeAcknowledgements(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const delay = time.Second
		q := newQueue()
		at := make(chan time.Time, 10)
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Data.ID == 2 {
				return nil
			}
			at <- time.Now()
			if m.Attempt() == 1 {
				return bq.RetryAfter(delay, errors.New("busy"))
			}
			return nil
		}, bq.WithRetryByNack())
		b.publish(t, q, order{ID: 1})
		first := await(t, at, "the first attempt")
		s.next()
		b.publish(t, q, order{ID: 2}) // is not kept waiting
		if got := s.next(); got.Action != bq.Acknowledged {
			t.Errorf("got %s of %+v", got.Action, got.Delivery)
		}
		if waited := await(t, at, "the second attempt").Sub(first); waited < delay {
			t.Errorf("retried after %s, want %s", waited, delay)
		}
	})
}

func TestBackoffMakesRetriesWait(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			const delay, tick = 2 * time.Second, time.Second
			q := newQueue()
			at := make(chan time.Time, 3)
			var deliveries []int64
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				at <- time.Now()
				if m.Attempt() < 3 {
					return errors.New("busy")
				}
				return nil
			}, bq.WithSubscriptionType(subscription), bq.WithRetryBackoff(func(n int64) time.Duration {
				deliveries = append(deliveries, n)
				return map[int64]time.Duration{1: delay, 2: -time.Hour}[n]
			}))
			b.publish(t, q, order{ID: 1})
			first, second := await(t, at, "the first attempt"), await(t, at, "the second attempt")
			if waited := second.Sub(first); waited < delay-tick {
				t.Errorf("RET-8: retried after %s, want %s", waited, delay)
			}
			await(t, at, "the third attempt")
			s.until()
			if fmt.Sprint(deliveries) != "[1 2]" {
				t.Errorf("the backoff was asked about deliveries %v", deliveries)
			}
		})
	})
}

// TestALongWaitInTheConsumerIsLoggedWhenItBegins: F17. On Exclusive and Failover a delay holds up the messages behind.
func TestALongWaitInTheConsumerIsLoggedWhenItBegins(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for name, result := range map[string]error{
			"RetryAfter": bq.RetryAfter(24*time.Hour, errors.New("no stock")), "Snooze": bq.Snooze(24 * time.Hour),
		} {
			for _, subscription := range []pulsar.SubscriptionType{pulsar.Exclusive, pulsar.Failover} {
				q := newQueue()
				var log lockedBuilder
				s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return result },
					bq.WithSubscriptionType(subscription), bq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
				b.publish(t, q, order{ID: 1})
				eventually(t, "F17: "+name+" in the log", func() bool {
					return strings.Contains(log.String(), `msg="message waits in the consumer"`)
				})
				if !strings.Contains(log.String(), "for=24h0m0s") {
					t.Errorf("F17: %s: the log is\n%s", name, log.String())
				}
				if status := s.consumer.Status(); status.Unsettled != 1 || status.Oldest == nil {
					t.Errorf("F17: %s: %+v", name, status)
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				if x := s.next(); x.Action != bq.Released {
					t.Errorf("F17: %s: got %s", name, x.Action)
				}
			}
		}
	})
}

func TestOwnConsumerAndProducers(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		own := b.subscribe(t, q.Topic, "own")
		letters := b.subscribe(t, q.DeadLetterTopic, "letters")
		producer := func(topic string) pulsar.Producer {
			p, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: topic})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			return p
		}
		retry, dead := producer(q.Topic), producer(q.DeadLetterTopic)
		settled := make(chan bq.Settlement, 10)
		handle, _ := failing(always)
		c, err := bq.NewConsumer(nil, q, bq.Routes(bq.Handle(orders(q), handle)), bq.WithLogger(quiet), bq.WithMaxAttempts(2),
			bq.WithPulsarConsumer(own), bq.WithRetryProducer(retry), bq.WithDeadLetterProducer(dead),
			bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) { settled <- s }}))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx) }()
		sent := b.publish(t, q, order{ID: 1})
		for _, want := range []bq.Action{bq.Retried, bq.DeadLettered} {
			if got := await(t, settled, "a settlement"); got.Action != want {
				t.Errorf("CFG-2: got %s, %v, want %s", got.Action, got.SettleErr, want)
			}
		}
		if got := receive(t, letters).Properties()["bq-message-id"]; got != sent.ID {
			t.Errorf("got dead letter %s, want %s", got, sent.ID)
		}
		cancel()
		if err := await(t, done, "Run to return"); err != nil {
			t.Error(err)
		}
		// The caller's own consumer and producers are still open.
		if _, err := retry.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte("x")}); err != nil {
			t.Errorf("CFG-2: the retry producer was closed: %v", err)
		}
		receive(t, own)
	})
}

func TestConstructionRefusesWhatCannotWork(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	own := b.subscribe(t, q.Topic, "own")
	other, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: "other"})
	if err != nil {
		t.Fatal(err)
	}
	self, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic})
	if err != nil {
		t.Fatal(err)
	}
	route := bq.Handle(orders(q), func(context.Context, *bq.Message[order]) error { return nil })
	noLetters := bq.Queue{Name: "orders", Topic: q.Topic}
	for name, c := range map[string]struct {
		client pulsar.Client
		queue  bq.Queue
		routes bq.RouteSet
		opts   []bq.ConsumerOption
		say    string
	}{
		"no routes": {b.client, q, bq.Routes(), nil, "there are no routes"},
		"no handler": {b.client, q, bq.Routes(bq.Handle(orders(q), nil)), nil,
			orderURN + " has no handler"},
		"two handlers": {b.client, q, bq.Routes(route, route), nil, orderURN + " has two handlers"},
		"no topic":     {b.client, bq.Queue{Name: "orders"}, bq.Routes(route), nil, "no topic"},
		"its own dead letters": {b.client, bq.Queue{Topic: "a", DeadLetterTopic: "a"}, bq.Routes(route), nil,
			"its own dead-letter topic"},
		"its own dead letters, in short": {b.client, bq.Queue{Topic: "persistent://public/default/a", DeadLetterTopic: "a"},
			bq.Routes(route), nil, "its own dead-letter topic"},
		"dead letters to itself": {b.client, q, bq.Routes(route),
			[]bq.ConsumerOption{bq.WithDeadLetterProducer(self)}, "the queue's own topic"},
		"S17 one partition": {b.client, bq.Queue{Topic: "orders-partition-1"}, bq.Routes(route), nil,
			"-partition-"},
		"S17 no partition": {b.client, bq.Queue{Topic: "x-partition-y"}, bq.Routes(route), nil, "-partition-"},
		"CFG-1": {b.client, q, bq.Routes(route), []bq.ConsumerOption{bq.WithMaxAttempts(-1)},
			"max attempts is -1"},
		"S41 nack on Exclusive": {b.client, q, bq.Routes(route),
			[]bq.ConsumerOption{bq.WithRetryByNack(), bq.WithSubscriptionType(pulsar.Exclusive)},
			"WithRetryByNack needs WithSubscriptionType"},
		"S41 nack on Failover": {b.client, q, bq.Routes(route),
			[]bq.ConsumerOption{bq.WithRetryByNack(), bq.WithSubscriptionType(pulsar.Failover)},
			"WithRetryByNack needs WithSubscriptionType"},
		"nothing to receive with": {nil, noLetters, bq.Routes(route), nil, "neither a client nor WithPulsarConsumer"},
		"CFG-3 undeclared type": {nil, noLetters, bq.Routes(route), []bq.ConsumerOption{bq.WithPulsarConsumer(own)},
			"retries would never end"},
		"nowhere to put dead letters": {nil, q, bq.Routes(route),
			[]bq.ConsumerOption{bq.WithPulsarConsumer(own), bq.WithSubscriptionType(pulsar.Shared)}, "WithDeadLetterProducer"},
		"RET-1 retries to another": {b.client, q, bq.Routes(route), []bq.ConsumerOption{bq.WithRetryProducer(other)},
			"the retry producer is for"},
		"retry in two ways": {b.client, q, bq.Routes(route),
			[]bq.ConsumerOption{bq.WithRetryProducer(other), bq.WithRetryByNack()}, "exclude each other"},
		"concurrency, grace": {b.client, q, bq.Routes(route),
			[]bq.ConsumerOption{bq.WithConcurrency(0), bq.WithGracePeriod(-1)}, "concurrency is 0"},
		"everything wrong is reported": {b.client, q, bq.Routes(route),
			[]bq.ConsumerOption{bq.WithConcurrency(0), bq.WithSubscription("")}, "the subscription name is empty"},
	} {
		if _, err := bq.NewConsumer(c.client, c.queue, c.routes, c.opts...); err == nil ||
			!strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: got %v, want it to say %q", name, err, c.say)
		}
	}
	if _, err := bq.NewConsumer(nil, noLetters, bq.Routes(route), bq.WithPulsarConsumer(own),
		bq.WithSubscriptionType(pulsar.KeyShared)); err != nil {
		t.Errorf("CFG-3: a declared Key_Shared subscription: %v", err)
	}
}
