package bqtest

import (
	"cmp"
	"slices"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// singleDispatcher serves Exclusive and Failover: one consumer is active and gets everything, in order and without
// delay.
type singleDispatcher struct {
	s      *subscription
	active *link
	read   int64 // the next entry to hand out
}

func newSingleDispatcher(s *subscription) *singleDispatcher {
	return &singleDispatcher{s: s, read: s.cursor.mark}
}

func (d *singleDispatcher) attach(l *link) { d.elect(l) }
func (d *singleDispatcher) detach(*link)   { d.elect(nil) }

// elect settles which consumer is active and starts over at the cursor for a new one. If it is a new one, all consumers
// are told what they are, also those that are what they were; if it is not, the one that has joined is.
func (d *singleDispatcher) elect(joined *link) {
	if d.s.moving {
		return
	}
	next := chooseActive(d.s.t.name, d.s.links)
	if next == d.active {
		if joined != nil && joined != next {
			joined.listen(pulsar.ConsumerEventListener.BecameInactive)
		}
		return
	}
	d.active = next
	d.rewind()
	for _, l := range d.s.links {
		if l == next {
			l.listen(pulsar.ConsumerEventListener.BecameActive)
		} else {
			l.listen(pulsar.ConsumerEventListener.BecameInactive)
		}
	}
}

func (d *singleDispatcher) dispatch() {
	for d.active != nil && d.active.permits > 0 && d.read < d.s.t.end() {
		id := d.read
		d.read++
		if e := d.s.t.at(id); e != nil && !e.chunk() && !d.s.cursor.has(id) {
			d.active.deliver(e, 0)
		}
	}
}

func (d *singleDispatcher) pass(e *entry) {
	if d.active != nil && d.active.hasRoom() {
		d.active.deliver(e, 0)
	}
}

// redeliver rewinds: a consumer that is to keep the order cannot get one message again without those after it.
func (d *singleDispatcher) redeliver(l *link, _ int64) {
	if l == d.active {
		d.rewind()
	}
}

func (d *singleDispatcher) forget(int64) {}
func (d *singleDispatcher) rewind()      { d.read = d.s.cursor.mark }

func (d *singleDispatcher) unacked() int {
	n := 0
	for id := d.s.cursor.mark; id < d.read; id++ {
		if e := d.s.t.at(id); e != nil && !d.s.cursor.has(id) {
			n += len(e.members)
		}
	}
	return n
}

// chooseActive picks the consumer that is to be active, as the broker does: of the consumers with the best priority, in
// the order of their names, the partition's number counts one off, so that the partitions of a topic spread over the
// consumers. Without partitions the topic's hash picks one on a ring. Either way a consumer that joins may take over at
// once.
func chooseActive(t wire.Topic, links []*link) *link {
	if len(links) == 0 {
		return nil
	}
	sorted := slices.Clone(links)
	slices.SortStableFunc(sorted, func(a, b *link) int {
		return cmp.Or(cmp.Compare(a.c.opts.PriorityLevel, b.c.opts.PriorityLevel), cmp.Compare(a.c.opts.Name, b.c.opts.Name))
	})
	n := 1
	for n < len(sorted) && sorted[n].c.opts.PriorityLevel == sorted[0].c.opts.PriorityLevel {
		n++
	}
	if t.Partition >= 0 {
		return sorted[t.Partition%n]
	}
	var names []string
	for _, l := range sorted[:n] {
		names = append(names, l.c.opts.Name)
	}
	return sorted[wire.OnRing(wire.Murmur3Hash(t.Full), names)]
}
