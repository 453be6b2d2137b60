package bqtest

import "slices"

// Down takes the broker away. Consumers lose their connections, and with them what was in their receiver queues;
// Receive returns the few messages that the client had handed on already, and waits; what producers send waits for
// [Broker.Up] or their send timeout; an acknowledgement under way fails with an error, if it asks for an answer, and
// later ones wait for Up without a bound, as in the real client; making consumers and producers fails. Topics,
// subscriptions and acknowledgements are kept, redelivery counts are not.
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

// Up brings the broker back. Consumers connect again, in their old order, and what waits is sent.
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

// Unload closes a topic and loads it again, as brokers do routinely to balance their load. Consumers connect again at
// once, in their old order, and everything unacknowledged is delivered again under the same message ids, also what a
// handler works on: it is there twice then, and so is what the client had handed on to the application. Confirmed
// acknowledgements stay, redelivery counts are forgotten, and new messages have ids of another ledger. Connections
// stay, so that an acknowledgement that a fault holds goes on waiting. What producers sent and were not answered is
// sent again. A partitioned topic's name stands for all its partitions.
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

// Drop cuts the connections of a subscription's consumers, or of those with the given names only, and lets them connect
// again at once. What they had in their receiver queues or not acknowledged goes back to the subscription, to the
// others first. It returns how many connections were cut. A partitioned topic's name stands for all its partitions.
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
