package bqtest

import "slices"

// Down takes the broker away. Consumers lose their connections, and with them
// what was prefetched; Receive waits; what producers send waits for [Broker.Up]
// or their send timeout; acknowledgements are lost, with an error only to
// those who asked for a response; making consumers and producers fails. Topics,
// subscriptions and acknowledgements are kept, redelivery counts are not.
func (b *Broker) Down() {
	b.lock()
	defer b.unlock()
	if b.down {
		return
	}
	b.down = true
	for _, t := range b.topics {
		for _, s := range t.subs {
			s.lost = slices.Clone(s.links)
			for _, l := range s.lost {
				s.disconnect(l)
			}
		}
	}
	b.notify()
}

// Up brings the broker back. Consumers connect again, in their old order, and
// what waits is sent.
func (b *Broker) Up() {
	b.lock()
	defer b.unlock()
	if !b.down {
		return
	}
	b.down = false
	for _, t := range b.topics {
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

// Drop cuts the connections of a subscription's consumers, or of those with the
// given names only, and lets them connect again at once. What they had
// prefetched or not acknowledged goes back to the subscription, to the others
// first. It returns how many connections were cut. A partitioned topic's name
// stands for all its partitions.
func (b *Broker) Drop(topic, subscription string, consumers ...string) int {
	b.lock()
	defer b.unlock()
	n := 0
	for _, t := range b.find(topic) {
		s := t.subs[subscription]
		if s == nil {
			continue
		}
		for _, l := range slices.Clone(s.links) {
			if len(consumers) == 0 || slices.Contains(consumers, l.c.opts.Name) {
				s.lost = append(s.lost, l)
				s.disconnect(l)
				n++
			}
		}
		s.reconnect()
	}
	return n
}

// reconnect connects again what was disconnected by a fault.
func (s *subscription) reconnect() {
	lost := s.lost
	s.lost = nil
	for _, l := range lost {
		if !l.c.closed && !l.c.left {
			s.connect(l)
		}
	}
	s.removeIfIdle()
}
