package services

import (
	"context"
	"errors"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// FS1: every service gets its messages, once, on each type of subscription.
func TestEveryServiceGetsItsMessagesOnce(t *testing.T) {
	for name, kind := range map[string]pulsar.SubscriptionType{
		"shared": pulsar.Shared, "key_shared": pulsar.KeyShared, "failover": pulsar.Failover, "exclusive": pulsar.Exclusive,
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, p *place) {
				p.declare()
				batch := func(from int64) {
					p.publish(urnB, from, from+3)
					p.publish(urnS, 100+from, 100+from+3)
					p.publish(urnA, 200+from, 200+from+3)
				}
				batch(0)
				replicas := map[string][]*replica{}
				start := func() {
					for _, name := range order {
						if kind != pulsar.Exclusive || len(replicas[name]) == 0 {
							replicas[name] = append(replicas[name], p.start(name, fine, bq.WithSubscriptionType(kind)))
						}
					}
				}
				start()
				batch(3)
				p.drained() // a replica that joins may take over what another one has in hand, which is then run twice
				start()
				batch(6)
				p.publish(urnB, 9, 10)
				p.publish(urnS, 109, 110)
				p.publish(urnA, 209, 210)
				p.expect("billing", count{Runs: 20, Acknowledged: 20, Skips: 10}, replicas["billing"]...)
				p.expect("shipping", count{Runs: 20, Acknowledged: 20, Skips: 10}, replicas["shipping"]...)
				p.expect("audit", count{Runs: 30, Acknowledged: 30}, replicas["audit"]...)
				p.drained()
				if got := p.published(p.queue.Topic); got != 30 {
					t.Errorf("%d messages were published to the queue, want 30", got)
				}
			})
		})
	}
}

// FS2: three services that each fail in their own way see nothing of each other's retries and dead letters.
func TestServicesFailOnTheirOwn(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.declare()
		p.publish(urnA, 0, 50)
		billing := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
			if m.Attempts < 2 {
				return errors.New("no answer")
			}
			return nil
		}, bq.WithConcurrency(4))
		shipping := p.start("shipping", func(_ context.Context, m *bq.Message[note]) error {
			if m.Data.ID%10 == 0 {
				panic("no parcel")
			}
			return nil
		}, bq.WithConcurrency(4))
		audit := p.start("audit", func(_ context.Context, m *bq.Message[note]) error {
			if m.Attempts == 0 {
				return bq.RetryAfter(pauseOf(p), errors.New("later"))
			}
			return nil
		}, bq.WithConcurrency(4))
		p.expect("billing", count{Runs: 150, Retried: 100, Acknowledged: 50}, billing)
		p.expect("shipping", count{Runs: 60, Retried: 10, Acknowledged: 45, DeadLettered: 5}, shipping)
		p.expect("audit", count{Runs: 100, Retried: 50, Acknowledged: 50}, audit)
		p.drained()
		for _, x := range []struct {
			topic string
			want  int64
		}{
			{p.queue.Topic, 50}, {p.service("billing").RetryTopic, 100}, {p.service("shipping").RetryTopic, 10},
			{p.service("audit").RetryTopic, 50}, {p.service("shipping").DeadLetterTopic, 5},
			{p.service("billing").DeadLetterTopic, 0}, {p.service("audit").DeadLetterTopic, 0},
		} {
			if got := p.published(x.topic); got != x.want {
				t.Errorf("%d messages were published to %s, want %d", got, x.topic, x.want)
			}
		}
		for _, m := range p.letters("shipping", 5) {
			if d := blockOf(t, m); d.OriginalQueue != lastSegment(p.queue.Topic) || d.Attempts != 3 || d.Reason != "failed" {
				t.Errorf("FAN-3: the dead letter says %+v", d)
			}
		}
		for id, attempts := range billing.seen() {
			if len(attempts) != 3 || attempts[0] != 0 || attempts[1] != 1 || attempts[2] != 2 {
				t.Errorf("FAN-4: billing saw the attempts %v of %d", attempts, id)
			}
		}
	})
}

// The six set-ups behind F24 are refused, warned about, or work; see services_setup_test.go. This is its measure: 10
// messages of each service's URNs are 10 runs and 10 skips in each.
func TestTenMessagesAreTenRuns(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.declare()
		billing, shipping := p.start("billing", fine), p.start("shipping", fine)
		p.publish(urnB, 0, 10)
		p.publish(urnS, 10, 20)
		p.expect("billing", count{Runs: 10, Acknowledged: 10, Skips: 10}, billing)
		p.expect("shipping", count{Runs: 10, Acknowledged: 10, Skips: 10}, shipping)
		p.drained("billing", "shipping")
	})
}
