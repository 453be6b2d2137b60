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
	t.Run("a service is added", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		old := p.start("billing", fine)
		p.publish(urnB, 0, 5)
		p.expect("before", count{Runs: 5, Acknowledged: 5}, old)
		p.queue.Services = append(slices.Clone(p.queue.Services), bq.QueueService{Name: "books", URNs: []string{urnB},
			RetryTopic: p.queue.Topic + ".books.retry", DeadLetterTopic: p.queue.Topic + ".books.dlq"})
		updated := p.start("billing", fine)
		p.declare() // from here on nothing is lost for it
		p.publish(urnB, 5, 15)
		books := p.start("books", failOnce)
		p.expect("those that were there have theirs once", count{Runs: 15, Acknowledged: 15}, old, updated)
		p.expect("the new one has what the broker has", count{Runs: 30, Retried: 15, Acknowledged: 15}, books)
		p.drained("billing", "books")
	})
	t.Run("a URN moves to another queue", func(t *testing.T) {
		p := inMemory(t)
		p.declare()
		before := []*replica{p.start("billing", fine), p.start("shipping", fine), p.start("audit", fine)}
		// The new catalog: nobody receives B on the old queue, and it has another queue for it.
		to := *p
		to.queue = newQueue(newTopic())
		to.queue.Name = "invoices"
		now := *p
		now.queue.URNs = []string{urnS, urnA}
		now.queue = receives(receives(now.queue, "billing", urnA), "audit", urnS, urnA)
		moved := []*replica{to.start("billing", fine), to.start("audit", fine)} // before any publisher
		p.publish(urnB, 0, 10)
		to.publish(urnB, 10, 20)
		p.expect("old publishers, old consumers", count{Runs: 20, Acknowledged: 20, Skips: 10}, before...)
		p.expect("new publishers, new consumers", count{Runs: 20, Acknowledged: 20}, moved...)
		for _, r := range before {
			r.stop()
		}
		var after []*replica
		for _, name := range order {
			after = append(after, now.start(name, fine))
		}
		now.publish(urnA, 20, 25)
		p.expect("the old queue goes on", count{Runs: 15, Acknowledged: 15}, after...)
		// A publisher that was left behind: those of the new queue miss it, and nobody knows it on the old one.
		p.publish(urnB, 25, 27)
		p.expect("a publisher left behind", count{Runs: 15, Acknowledged: 15, Retried: 12, DeadLettered: 6}, after...)
		p.expect("which the new queue misses", count{Runs: 20, Acknowledged: 20}, moved...)
		p.drained()
		to.drained("billing", "audit")
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
