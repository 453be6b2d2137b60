package services

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// FS4: only what the message says of itself makes it another consumer's retry.
func TestWhatCountsAsAnotherConsumersRetry(t *testing.T) {
	for i, x := range []struct {
		property, body string // of attempts; "" leaves the property out
		skipped        bool
		says           string // the skip
	}{
		{"1", "0", true, "its property bq-attempts is 1"},
		{"0", "0", false, ""},
		{"007", "0", true, "its property bq-attempts is 7"},
		{" 1", "0", false, ""},
		{"x", "2", true, "attempts in its body is 2"},
		{"", "1", true, "attempts in its body is 1"},
		{"", `"3"`, false, ""},
		{"0", "5", false, ""},
		{"1", `1,"dead_letter":{"reason":"failed"}`, true, "its property bq-attempts is 1"},
		{"2147483648", "0", false, ""},
	} {
		t.Run(fmt.Sprintf("%q and %s", x.property, x.body), func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.declare()
			p.send(p.queue.Topic, &pulsar.ProducerMessage{
				Payload:    []byte(body(urnB, int64(i), x.body)),
				Properties: properties(urnB, map[string]string{"bq-attempts": x.property}),
			})
			r := p.start("billing", fine)
			if !x.skipped {
				p.expect("FAN-5", count{Runs: 1, Acknowledged: 1}, r)
				return
			}
			p.expect("FAN-5", count{Skips: 1}, r)
			got := r.settled[0]
			if got.Reason != bq.ForeignRetry || got.Err == nil || !strings.Contains(got.Err.Error(), x.says) {
				t.Errorf("FAN-5: skipped as %s: %v, want %q", got.Reason, got.Err, x.says)
			}
			if got.Runs != 0 {
				t.Errorf("FAN-5: a skipped message is said to have had %d runs", got.Runs)
			}
			if r.failures > 0 {
				t.Error("a skipped message is reported as failed")
			}
			takes := p.start("audit", fine, bq.HandleForeignRetries())
			p.expect("FAN-5 with HandleForeignRetries", count{Runs: 1, Acknowledged: 1}, takes)
		})
	}
}

// FS4: with HandleForeignRetries a foreign retry keeps its attempts, and fails on the service's own topics.
func TestForeignRetriesThatAreHandledKeepTheirAttempts(t *testing.T) {
	p := inMemory(t)
	p.declare()
	p.send(p.queue.Topic, &pulsar.ProducerMessage{
		Payload: []byte(body(urnB, 1, "1")), Properties: properties(urnB, map[string]string{"bq-attempts": "1"}),
	})
	failed := errors.New("no")
	r := p.start("billing", func(context.Context, *bq.Message[note]) error { return failed }, bq.HandleForeignRetries())
	p.expect("FAN-5", count{Runs: 2, Retried: 1, DeadLettered: 1}, r)
	if got := r.seen()[1]; len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("MAX-2: the runs saw the attempts %v, want 1 and 2", got)
	}
	if got := p.read(p.service("billing").RetryTopic, 1)[0].Properties()["bq-attempts"]; got != "2" {
		t.Errorf("FAN-2: the retry has attempts %s, want 2", got)
	}
}

// foreign is a consumer with a subscription of its own, as another SDK is: it fails each message so many times, and
// retries by publishing it to the queue again (RET-1). It returns a function that says how many deliveries of its own
// and of others' retries it has had.
func (p *place) foreign(fails int) func() (own, others int) {
	p.t.Helper()
	consumer, err := p.client.Subscribe(pulsar.ConsumerOptions{
		Topic: p.queue.Topic, SubscriptionName: "python", Type: pulsar.Shared,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(consumer.Close)
	producer, err := p.client.CreateProducer(pulsar.ProducerOptions{Topic: p.queue.Topic, DisableBatching: true})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(producer.Close)
	var own, others atomic.Int64
	go func() {
		for m := range consumer.Chan() {
			props := m.Properties()
			attempts, _ := strconv.Atoi(props["bq-attempts"])
			if attempts > 0 && props["by"] != "python" {
				others.Add(1)
			}
			own.Add(1)
			if attempts < fails {
				props["by"], props["bq-attempts"] = "python", strconv.Itoa(attempts+1)
				retry := &pulsar.ProducerMessage{Payload: m.Payload(), Properties: props, Key: m.Key()}
				if _, err := producer.Send(context.Background(), retry); err != nil {
					p.t.Error(err)
				}
			}
			if err := consumer.Ack(m); err != nil {
				p.t.Error(err)
			}
		}
	}()
	return func() (int, int) { return int(own.Load()), int(others.Load()) }
}

// FS5: a foreign consumer sees every message once and none of ours; we skip its retries, or handle them if told to.
func TestAForeignConsumerBesideServices(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.declare()
		seen := p.foreign(2)
		billing, shipping := p.start("billing", failOnce), p.start("shipping", fine)
		takes := p.start("audit", fine, bq.HandleForeignRetries())
		p.publish(urnB, 0, 10)
		p.expect("FAN-5: billing", count{Runs: 20, Retried: 10, Acknowledged: 10, Skips: 20}, billing)
		p.expect("FAN-5, FAN-6: shipping", count{Skips: 30}, shipping)
		p.expect("with HandleForeignRetries", count{Runs: 30, Acknowledged: 30}, takes)
		p.drained()
		p.until("the foreign consumer to be done", func() bool { return p.backlog(p.queue.Topic, "python") == 0 })
		if own, others := seen(); own != 30 || others != 0 {
			t.Errorf("the foreign consumer has had %d deliveries, %d of them retries of others, want 30 and none", own, others)
		}
	})
}

// FS3: a message that Pulsar delivers again is not another consumer's retry, whatever its redelivery count is.
func TestRedeliveredIsNotRetried(t *testing.T) {
	t.Run("the process dies", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			p.declare()
			p.publish(urnA, 0, 20)
			took := make(chan struct{}, 20)
			first := p.start("billing", func(ctx context.Context, _ *bq.Message[note]) error {
				took <- struct{}{}
				<-ctx.Done()
				return ctx.Err()
			}, bq.WithConcurrency(20), bq.WithUnordered(), bq.WithGracePeriod(0))
			for range 20 {
				<-took
			}
			first.stop()
			second := p.start("billing", fine)
			p.expect("the next process", count{Runs: 20, Acknowledged: 20}, second)
		})
	})
	t.Run("retries by nack", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			p.declare()
			p.publish(urnB, 0, 20)
			r := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
				if m.Attempts == 0 {
					return errors.New("no")
				}
				return nil
			}, bq.WithRetryByNack())
			p.expect("retried by nack", count{Runs: 40, Retried: 20, Acknowledged: 20}, r)
			p.drained("billing")
			if got := p.published(p.service("billing").RetryTopic); got != 0 {
				t.Errorf("%d retries were published", got)
			}
		})
	})
	t.Run("the retry topic refuses", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		p.publish(urnB, 0, 5)
		retry := p.service("billing").RetryTopic
		p.memory.Fail(bqtest.OnSend(retry).Times(10))
		r := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
			if m.Attempts == 0 {
				return errors.New("no")
			}
			return nil
		}, bq.WithSettleTries(1))
		p.until("all to be handled", func() bool { return r.count().Acknowledged == 5 })
		if got := r.count(); got.Skips > 0 {
			t.Errorf("FAN-5: %d redelivered messages were skipped", got.Skips)
		}
		p.drained("billing")
	})
	t.Run("the topic moves", func(t *testing.T) {
		onBoth(t, func(t *testing.T, p *place) {
			p.declare()
			hold := make(chan struct{})
			r := p.start("billing", func(context.Context, *bq.Message[note]) error { <-hold; return nil }, bq.WithConcurrency(4))
			p.publish(urnA, 0, 20)
			p.until("the first runs", func() bool { return r.runsBegun() >= 4 })
			p.unload(p.queue.Topic)
			close(hold)
			p.until("all to be handled", func() bool { return r.count().Acknowledged >= 20 })
			p.drained("billing")
			if got := r.count(); got.Skips > 0 {
				t.Errorf("FAN-5: %d redelivered messages were skipped", got.Skips)
			}
		})
	})
}
