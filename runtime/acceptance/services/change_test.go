package services

import (
	"slices"
	"testing"

	bq "github.com/babelqueue/bqgen/runtime"
)

// receives returns the queue as a catalog has it in which a service receives these URNs.
func receives(q bq.Queue, name string, urns ...string) bq.Queue {
	q.Services = slices.Clone(q.Services)
	for i := range q.Services {
		if q.Services[i].Name == name {
			q.Services[i].URNs = urns
		}
	}
	return q
}

// FS23: while a catalog changes, replicas with the old and the new code run side by side. In the order that breaking
// names nothing is lost; in the other one happens what it says.
func TestACatalogThatChanges(t *testing.T) {
	t.Run("a service receives more", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		old := p.start("billing", fine)
		p.publish(urnS, 0, 5)
		p.expect("deployed with the old code, it skips it", count{Skips: 5}, old)
		p.queue = receives(p.queue, "billing", urnB, urnA, urnS)
		updated := p.start("billing", fine)
		p.publish(urnA, 5, 15)
		p.expect("side by side", count{Runs: 10, Acknowledged: 10, Skips: 5}, old, updated)
		old.stop()
		p.publish(urnS, 15, 20)
		p.expect("with the new code", count{Runs: 15, Acknowledged: 15, Skips: 5}, old, updated)
		p.drained("billing")
	})
	t.Run("a service receives less", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		old := p.start("billing", fine)
		p.queue = receives(p.queue, "billing", urnB)
		updated := p.start("billing", fine)
		p.publish(urnA, 0, 10)
		p.until("all to end", func() bool { c := sum(old, updated); return c.Acknowledged+c.Skips == 10 })
		old.stop()
		p.publish(urnA, 10, 15)
		p.until("the last ones to be skipped", func() bool { return updated.count().Skips >= 5 })
		p.drained("billing")
		if c := sum(old, updated); c.Retried+c.DeadLettered+c.Dropped > 0 {
			t.Errorf("none of them is a failure: %+v", c)
		}
	})
	t.Run("a service is renamed", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		p.publish(urnA, 0, 5)
		s := p.service("audit")
		p.queue.Services = slices.Clone(p.queue.Services)
		p.queue.Services[2] = bq.QueueService{Name: "books", URNs: s.URNs,
			RetryTopic: p.queue.Topic + ".books.retry", DeadLetterTopic: p.queue.Topic + ".books.dlq"}
		books := p.start("books", fine)
		p.publish(urnA, 5, 10)
		p.expect("it starts with what the broker has", count{Runs: 10, Acknowledged: 10}, books)
		if got := p.backlog(p.queue.Topic, "audit"); got != 10 {
			t.Errorf("%d messages wait for the old name, want 10", got)
		}
	})
}

// A service may have several Pulsar consumers, each with both sources.
func TestAServiceWithSeveralConsumers(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.declare()
		p.publish(urnB, 0, 20)
		p.publish(urnS, 20, 30)
		r := p.start("billing", failOnce, bq.WithConsumers(3), bq.WithConcurrency(4))
		p.expect("all", count{Runs: 40, Retried: 20, Acknowledged: 20, Skips: 10}, r)
		p.drained("billing")
		for _, at := range []string{p.queue.Topic, retriesOf(p)} {
			n := 0
			if p.memory != nil {
				n = p.memory.Consumers(at, "billing")
			} else {
				n = len(p.stats(at).Subscriptions["billing"].Consumers)
			}
			if n != 3 {
				t.Errorf("%s has %d consumers, want 3", at, n)
			}
		}
	})
}
