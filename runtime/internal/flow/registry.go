package flow

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
)

// This file owns the registry: every message that is not done, by partition and id, and for a while those that are
// (pages.go, entries.go). It swallows copies.

// A partition is a topic that messages come from, or one partition of it.
type partition struct {
	topic      string
	persistent bool     // messages of others have no ids to tell them apart by
	lanes      int      // see Source; of a prefix it is the topic's own
	ackers     []*acker // one per source

	pages       map[pageKey]*page
	lastPage    *page // the one looked up last
	lastPageKey pageKey
	entries     map[entryKey]*entry
	lastEntry   *entry // the one looked up last

	memory     []memory // of what is done, the oldest first
	forgot     int      // so many of memory's first are forgotten
	remembered int      // so many messages the others stand for

	zombies map[key]*delivery // given back, but user code still has them

	unhandled int // messages that acknowledgements wait for; see ackbatch.go

	// exhausted are those that failed for the last time here and were given back all the same, since their dead letter
	// could not be published. Their handler is not run again by this process.
	exhausted map[key]error

	looked time.Time // for what is to be forgotten
	swept  time.Time // entries were looked through
}

// ackerOf returns the acker of a partition's messages that come from a source.
func (f *Flow) ackerOf(topic string, s *source) *acker {
	if a := s.last; a != nil && a.partition.topic == topic {
		return a
	}
	p := f.partitions[topic]
	if p == nil {
		p = &partition{
			topic:      topic,
			persistent: isPersistent(topic),
			pages:      make(map[pageKey]*page),
			entries:    make(map[entryKey]*entry),
			zombies:    make(map[key]*delivery),
		}
		p.lanes = f.lanesOf(topic, s)
		f.partitions[topic] = p
	}
	for _, a := range p.ackers {
		if a.source == s {
			s.last = a
			return a
		}
	}
	a := &acker{partition: p, source: s, active: true}
	p.ackers = append(p.ackers, a)
	f.ackers = append(f.ackers, a)
	s.last = a
	return a
}

// lanesOf returns which keys are those of a topic.
func (f *Flow) lanesOf(name string, s *source) int {
	if s.from.Subscription.Prefix == nil {
		return s.from.Lanes
	}
	name = topic.WithoutPartition(name)
	for other, p := range f.partitions {
		if topic.WithoutPartition(other) == name {
			return p.lanes
		}
	}
	return -1 - len(f.partitions)
}

// register takes in a message. The caller holds the lock.
func (f *Flow) register(msg pulsar.Message, s *source, now time.Time) {
	a := f.ackerOf(msg.Topic(), s)
	f.aging.receive(now, len(f.ackers)*(handedOn+f.window))
	switch {
	case f.stopping: // another consumer will have it
		if id := msg.ID(); s.own && s.shares {
			f.later(func() { _ = f.protect(func() error { s.giveBack(msg, id); return nil }) })
		}
	case !a.active || len(a.parked) > 0:
		f.park(a, msg, now)
	default:
		f.enter(a, msg, now)
	}
}

// enter registers a message. A copy is swallowed. The caller holds the lock.
func (f *Flow) enter(a *acker, msg pulsar.Message, now time.Time) {
	p, s := a.partition, a.source
	id := msg.ID()
	k := keyOf(id)
	var e *entry
	if p.persistent {
		if p.looked != now { // once for all that came together
			p.looked = now
			by := f.aging.by(now)
			p.forget(by)
			p.forgetEntries(by)
		}
		e = p.meet(a, id, now)
		if d := p.find(k, e); d != nil {
			f.swallow(a, k, e, d, id)
			return
		}
	}
	d := &delivery{
		msg: msg, acker: a, source: s, key: k, entry: e, id: id, size: int64(len(msg.Payload())), received: now,
	}
	if p.persistent {
		p.put(k, e, d)
		d.exhaustedBy = p.exhausted[k]
		if e != nil {
			d.copy = e.copy
		}
	}
	if f.config.Trace != nil {
		f.config.Trace("", "received", waiting.String())
	}
	f.beginAckBatch(d)
	f.unsettled++
	f.bytes += d.size
	d.source.unsettled++
	d.source.bytes += d.size
	f.live.add(d)
	if zombie := p.zombies[k]; zombie != nil {
		last := zombie
		for last.behind != nil {
			last = last.behind
		}
		last.behind = d
		f.joinLane(d)
		return
	}
	if f.skips(d) {
		f.apply(d, acknowledge)
		return
	}
	f.joinLane(d)
	f.enqueue(d)
}

// swallow takes in a copy. The delivery holds the copy's id from now on, because the client counts the members of a
// batch entry per copy: an acknowledgement by ids of two copies never completes.
func (f *Flow) swallow(a *acker, k key, e *entry, d *delivery, id pulsar.MessageID) {
	f.swallowed++
	f.sayCopies()
	if hook := f.config.Hooks.Copied; hook != nil {
		settled := d == settledMessage || d.carriedOut
		f.notify(func() { hook(a.partition.topic, id, settled) })
	}
	if d == settledMessage {
		f.handInCopy(a, k, e, id)
		return
	}
	if mutant == acknowledgesCopies {
		f.hand(a, handed{id: id, complete: true, at: time.Now()})
	}
	if mutant != keepsFirstID || !isMember(id) {
		d.id, d.acker = id, a
		if e != nil {
			d.copy = e.copy
		}
	}
	again := d.state == acking || d.state == unsure
	f.apply(d, copied)
	if again {
		f.handIn(d)
	}
}

// leave takes a delivery out of the registry. Its credit is free.
func (f *Flow) leave(d *delivery) {
	d.stopTimer()
	d.stopClock()
	f.unsettled--
	f.bytes -= d.size
	d.source.unsettled--
	d.source.bytes -= d.size
	f.live.remove(d)
	p := d.acker.partition
	if p.persistent && p.find(d.key, d.entry) == d {
		switch {
		case d.carriedOut: // even if its acknowledgement was given up
			p.remember(d, f.clock)
			delete(p.exhausted, d.key)
		default:
			p.put(d.key, d.entry, nil)
		}
	}
	if d.hands && p.persistent {
		p.zombies[d.key] = d
	}
	f.creditsFreed()
	f.checkIdle()
}

// exhaustedMost is how many exhausted messages of a partition are remembered.
const exhaustedMost = 4096

// rememberExhausted notes why a message failed for the last time.
func (p *partition) rememberExhausted(k key, err error) {
	if !p.persistent {
		return
	}
	for other := range p.exhausted {
		if len(p.exhausted) < exhaustedMost {
			break
		}
		delete(p.exhausted, other)
	}
	if p.exhausted == nil {
		p.exhausted = make(map[key]error)
	}
	p.exhausted[k] = err
}

// A roll is the deliveries that are registered and have not left, in the order in which they came.
type roll struct{ oldest, newest *delivery }

func (r *roll) add(d *delivery) {
	if d.older = r.newest; d.older == nil {
		r.oldest = d
	} else {
		d.older.newer = d
	}
	r.newest = d
}

func (r *roll) remove(d *delivery) {
	if d.older == nil {
		r.oldest = d.newer
	} else {
		d.older.newer = d.newer
	}
	if d.newer == nil {
		r.newest = d.older
	} else {
		d.newer.older = d.older
	}
	d.older, d.newer = nil, nil
}

// all yields the deliveries. The one that it yields may leave.
func (r *roll) all(yield func(*delivery) bool) {
	for d := r.oldest; d != nil; {
		newer := d.newer
		if !yield(d) {
			return
		}
		d = newer
	}
}
