package bqtest

import (
	"slices"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar/backoff"
)

// Down makes the broker unreachable. Consumers lose their connections and the contents of their receiver queues.
// Receive returns the few messages that the client has already passed on, then waits. Sends wait for [Broker.Up] or
// their send timeout. An acknowledgement in progress fails with an error if it expects a response; later ones wait for
// Up without limit, as in the real client. Creating consumers and producers fails. Topics, subscriptions and
// acknowledgements are kept, redelivery counts are not.
func (b *Broker) Down() {
	b.lock()
	defer b.unlock()
	if b.down {
		return
	}
	b.down = true
	for _, t := range b.topics {
		for _, pp := range t.producers {
			pp.disconnect()
		}
		for _, s := range t.subs {
			s.lose(slices.Clone(s.links), true)
		}
	}
	b.notify()
}

func (b *Broker) isUp() bool {
	b.lock()
	defer b.unlock()
	return !b.down
}

// Up makes the broker reachable again. Consumers reconnect in their old order, and waiting messages are sent.
func (b *Broker) Up() {
	b.lock()
	defer b.unlock()
	if !b.down {
		return
	}
	b.down = false
	for _, t := range b.topics {
		t.beginLedger()
		for _, s := range t.subs {
			s.reconnect()
		}
	}
	for _, t := range b.topics {
		for _, pp := range t.producers {
			pp.advance()
		}
	}
	b.notify()
}

// Unload closes a topic and loads it again, as brokers do routinely to balance their load. Consumers reconnect at once,
// in their old order, and everything unacknowledged is delivered again under the same message ids. That includes
// messages that a handler is working on or that the client has already passed to the application: the application
// receives them twice. Confirmed acknowledgements are kept, redelivery counts are not, and new messages have ids of
// another ledger. Connections are kept, so an acknowledgement held by a fault goes on waiting. Messages whose sending
// was not confirmed are sent again. The name of a partitioned topic means all its partitions.
func (b *Broker) Unload(topic string) {
	b.lock()
	defer b.unlock()
	for _, t := range b.find(topic) {
		t.beginLedger()
		for _, pp := range t.producers {
			pp.disconnect()
		}
		for _, s := range t.subs {
			s.lose(slices.Clone(s.links), false)
			s.d.rewind()
			s.reconnect()
		}
		for _, pp := range t.producers {
			pp.advance()
		}
	}
	b.notify()
}

// Drop cuts the connections of a subscription's consumers, or only of those with the given names, and lets them
// reconnect at once. What they had in their receiver queues or had not acknowledged returns to the subscription and
// goes to other consumers first. Drop returns the number of connections that it cut. The name of a partitioned topic
// means all its partitions.
func (b *Broker) Drop(topic, subscription string, consumers ...string) int {
	b.lock()
	defer b.unlock()
	n := 0
	for _, t := range b.find(topic) {
		s := t.subs[subscription]
		if s == nil {
			continue
		}
		var cut []*link
		for _, l := range s.links {
			if len(consumers) == 0 || slices.Contains(consumers, l.c.opts.Name) {
				cut = append(cut, l)
			}
		}
		s.lose(cut, true)
		s.reconnect()
		n += len(cut)
	}
	return n
}

// lose disconnects consumers until reconnect. If the connection itself is lost, so is the answer to an acknowledgement.
func (s *subscription) lose(links []*link, connection bool) {
	s.lost = append(s.lost, links...)
	s.moving = true
	for _, l := range links {
		s.disconnect(l)
		l.beginReconnect()
		if connection {
			l.failAck()
		}
	}
	s.moved()
}

// reconnect connects again what lose disconnected.
func (s *subscription) reconnect() {
	lost := s.lost
	s.lost = nil
	s.moving = true
	for _, l := range lost {
		if !l.c.closed && !l.c.left {
			s.connect(l)
			s.t.b.later(l.reconnecting.succeed)
		}
	}
	s.moved()
	s.removeIfIdle()
}

// moved lets the dispatcher follow when several consumers have gone or come.
func (s *subscription) moved() {
	s.moving = false
	s.d.attach(nil)
	s.d.dispatch()
}

// beginReconnect lets the consumer ask for a backoff policy, which is reset once it has reconnected.
func (l *link) beginReconnect() {
	l.reconnecting = &reconnect{ask: l.c.opts.BackOffPolicyFunc}
	l.c.b.later(l.reconnecting.begin)
}

// A reconnect is one of a consumer. Its functions are called without the broker's lock.
type reconnect struct {
	ask    func() backoff.Policy
	once   sync.Once
	policy backoff.Policy
}

func (r *reconnect) begin() {
	r.once.Do(func() {
		if r.ask != nil {
			r.policy = r.ask()
		}
	})
}

func (r *reconnect) succeed() {
	if r.begin(); r.policy != nil {
		r.policy.Reset()
	}
}
