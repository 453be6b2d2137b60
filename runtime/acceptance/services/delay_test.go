package services

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// FS14: on types of subscriptions that know no delay, the retry topic has it: the queue's topic goes on at once, and a
// retry is run by its time, also after a restart.
func TestDelaysAreKeptByPulsar(t *testing.T) {
	for name, kind := range map[string]pulsar.SubscriptionType{
		"failover": pulsar.Failover, "exclusive": pulsar.Exclusive, "shared": pulsar.Shared, "key_shared": pulsar.KeyShared,
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, p *place) {
				const wait = 2 * time.Second
				p.declare()
				p.publish(urnB, 0, 20)
				type run struct{ at, due time.Time }
				runs := make(chan run, 100)
				handle := func(_ context.Context, m *bq.Message[note]) error {
					if m.Attempts == 0 {
						return bq.RetryAfter(wait, errors.New("later"))
					}
					runs <- run{time.Now(), m.PublishTime.Add(wait)}
					return nil
				}
				r := p.start("billing", handle, bq.WithSubscriptionType(kind))
				p.until("all to be retried", func() bool { return r.count().Retried == 20 })
				r.stop() // the retries are not due yet, or only just
				again := p.start("billing", handle, bq.WithSubscriptionType(kind))
				for i := range 20 {
					select {
					case x := <-runs:
						// Pulsar rounds times to the tick of its clock.
						if early := x.due.Sub(x.at); early > 100*time.Millisecond {
							t.Errorf("FAN-10: a retry came %s too early", early)
						}
					case <-time.After(patience):
						t.Fatalf("%d retries have come", i)
					}
				}
				p.until("all to be settled", func() bool { return sum(r, again).Acknowledged >= 20 })
				p.drained("billing")
			})
		})
	}
}

// FS14: with retries in place the order of a key holds, and the retry topic gets only what has used them up.
func TestRetriesInPlaceKeepTheOrder(t *testing.T) {
	p := inMemory(t)
	p.declare()
	p.publish(urnB, 0, 20) // of four keys
	tries := map[int64]int{}
	var ended []int64
	r := p.start("billing", func(_ context.Context, m *bq.Message[note]) error {
		tries[m.Data.ID]++
		if m.Data.ID == 13 || tries[m.Data.ID] < 3 {
			return errors.New("no")
		}
		ended = append(ended, m.Data.ID)
		return nil
	}, bq.WithSubscriptionType(pulsar.Failover), bq.WithRetryInPlace(2, bq.NoBackoff))
	p.until("all to end", func() bool { c := r.count(); return c.Acknowledged == 19 && c.DeadLettered == 1 })
	r.stop()
	if got := fmt.Sprint(ended); got != "[0 1 2 3 4 5 6 7 8 9 10 11 12 14 15 16 17 18 19]" {
		t.Errorf("the order is %s", got)
	}
	if got := p.published(p.service("billing").RetryTopic); got != 2 {
		t.Errorf("%d retries were published, want 2", got)
	}
}

// FS13: a service that is down holds up nobody, and finds everything when it is back.
func TestAServiceThatIsDown(t *testing.T) {
	p := inMemory(t)
	p.declare()
	p.publish(urnA, 0, 200)
	refuse := func(context.Context, *bq.Message[note]) error { return errors.New("no") }
	billing := p.start("billing", refuse, bq.WithConcurrency(4))
	audit := p.start("audit", fine)
	p.expect("billing", count{Runs: 600, Retried: 400, DeadLettered: 200}, billing)
	p.expect("audit", count{Runs: 200, Acknowledged: 200}, audit)
	if got := p.backlog(p.queue.Topic, "shipping"); got != 200 {
		t.Errorf("%d messages wait for shipping, want 200", got)
	}
	shipping := p.start("shipping", fine)
	p.expect("shipping", count{Runs: 200, Acknowledged: 200}, shipping)
	for id, attempts := range shipping.seen() {
		if attempts[0] != 0 {
			t.Errorf("shipping sees %d attempts of %d", attempts[0], id)
		}
	}
	for _, at := range []string{p.service("shipping").RetryTopic, p.service("shipping").DeadLetterTopic} {
		if got := p.published(at); got != 0 {
			t.Errorf("%d messages are on %s", got, at)
		}
	}
	p.drained()
}
