package flow

import (
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns the registry: every message that is not done, by partition and id, and for a while those that are. It
// swallows copies.

// How long, and for how many messages of a partition, the registry remembers that they are done. Not for ever: when a
// subscription is reset on purpose, the same ids come again and are to be handled.
const (
	rememberFor  = 10 * time.Second
	rememberMost = 65_536
)

// A partition is a topic that messages come from, or one partition of it.
type partition struct {
	topic      string
	source     *source
	persistent bool // messages of others have no ids to tell them apart by
	active     bool // false: another consumer of a Failover subscription has it

	messages map[key]*delivery // nil: done, and remembered
	memory   []memory          // those that are done, the oldest first
	forgot   int               // so many of memory's first are forgotten
	entries  map[entryKey]*entry
	zombies  map[key]*delivery // given back, but user code still has them

	// exhausted are those that failed for the last time here and were given back all the same, since their dead letter
	// could not be published. Their handler is not run again by this process.
	exhausted map[key]error

	swept time.Time // entries were looked through
	acker acker
}

// A memory is a message that is done.
type memory struct {
	key  key
	when time.Time
}

// partitionOf returns what is known of a topic's partition.
func (f *Flow) partitionOf(topic string, s *source) *partition {
	if p := f.partitions[topic]; p != nil {
		if p.source == nil {
			p.source = s
		}
		return p
	}
	p := &partition{
		topic: topic, source: s, active: true,
		persistent: !strings.HasPrefix(topic, "non-persistent://"),
		messages:   make(map[key]*delivery),
		entries:    make(map[entryKey]*entry),
		zombies:    make(map[key]*delivery),
	}
	f.partitions[topic] = p
	return p
}

// register takes in a message. It reports whether the message is new; a copy is swallowed.
func (f *Flow) register(msg pulsar.Message, s *source, now time.Time) {
	p := f.partitionOf(msg.Topic(), s)
	id := msg.ID()
	if !p.active || f.stopping {
		if s.own && Shares(f.config.Type) {
			f.later(func() { _ = f.protect(func() error { s.giveBack(msg, id); return nil }) })
		}
		return // another consumer has it, or will have
	}
	k := keyOf(id)
	if p.persistent {
		p.forget(now)
		p.forgetEntries(now)
		p.meet(id, now)
		if d, known := p.messages[k]; known {
			f.swallow(p, k, d, id)
			return
		}
	}
	d := &delivery{msg: msg, partition: p, key: k, id: id, size: int64(len(msg.Payload())), received: now}
	if p.persistent {
		p.messages[k] = d
		d.exhaustedBy = p.exhausted[k]
		d.copy = p.copyOf(k)
	}
	if f.config.Trace != nil {
		f.config.Trace("", "received", waiting.String())
	}
	f.unsettled++
	f.bytes += d.size
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
func (f *Flow) swallow(p *partition, k key, d *delivery, id pulsar.MessageID) {
	f.swallowed++
	f.sayCopies()
	if hook := f.config.Hooks.Copied; hook != nil {
		settled := d == nil || d.carriedOut
		f.notify(func() { hook(p.topic, id, settled) })
	}
	if d == nil {
		f.handInCopy(p, k, id)
		return
	}
	if mutant == acknowledgesCopies {
		f.hand(p, handed{id: id, complete: true, at: time.Now()})
	}
	if mutant != keepsFirstID || !isMember(id) {
		d.id = id
		d.copy = p.copyOf(k)
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
	f.unsettled--
	f.bytes -= d.size
	f.live.remove(d)
	p := d.partition
	if p.persistent && p.messages[d.key] == d {
		switch {
		case d.carriedOut: // even if its acknowledgement was given up
			f.remember(p, d.key)
			delete(p.exhausted, d.key)
		default:
			delete(p.messages, d.key)
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

// remember notes that a message is done. A member of an open entry is remembered until the entry is confirmed.
func (f *Flow) remember(p *partition, k key) {
	p.messages[k] = nil
	if _, open := p.entries[entryKey{k.ledger, k.entry}]; open {
		return
	}
	p.memory = append(p.memory, memory{k, time.Now()})
}

// forget lets go of what was remembered for long enough.
func (p *partition) forget(now time.Time) {
	for p.forgot < len(p.memory) {
		oldest := p.memory[p.forgot]
		if len(p.memory)-p.forgot <= rememberMost && now.Sub(oldest.when) < rememberFor {
			break
		}
		if d, known := p.messages[oldest.key]; known && d == nil {
			delete(p.messages, oldest.key)
		}
		p.forgot++
	}
	if p.forgot > 1024 && p.forgot > len(p.memory)/2 {
		p.memory = append(p.memory[:0], p.memory[p.forgot:]...)
		p.forgot = 0
	}
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
