package flow

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns the entries of producers that batch. Pulsar completes an entry as a whole, and the client counts its
// members per copy: what was acknowledged of one copy says nothing about the next.

// An entryKey identifies an entry within a partition.
type entryKey struct{ ledger, entry int64 }

// An entry is a batch of which at least one member was received. It is open until it is confirmed as a whole, and
// remembered for a while after that.
type entry struct {
	key     entryKey
	acker   *acker    // through which the newest copy came
	touched time.Time // when a member came last
	size    int
	copy    int   // counts the copies that came
	last    int32 // the member of the newest copy that came last
	acked   []uint64
	count   int // members of the newest copy that are in the acker, or were

	members []*delivery // as in a page
	live    int         // so many of them are not done
	closed  bool        // confirmed as a whole, or forgotten

	closedAt time.Time
}

// isMember reports whether a message is one of several in its entry.
func isMember(id pulsar.MessageID) bool { return id.BatchSize() > 1 && id.BatchIdx() >= 0 }

// meet notes that a message came and returns the entry that it is a member of, or nil for one that is alone. The
// members of a copy come in order, so one that is not behind the last is of a new copy.
func (p *partition) meet(a *acker, id pulsar.MessageID, now time.Time) *entry {
	if !isMember(id) {
		return nil
	}
	k := entryKey{id.LedgerID(), id.EntryID()}
	e := p.lastEntry
	if e == nil || e.key != k {
		e = p.entries[k]
	}
	switch {
	case e == nil:
		size := int(id.BatchSize())
		e = &entry{key: k, acker: a, size: size, acked: make([]uint64, (size+63)/64)}
		p.entries[k] = e
	case id.BatchIdx() <= e.last, e.acker != a, e.closed:
		e.copy++
		e.count = 0
		e.acker, e.closed = a, false
		clear(e.acked)
	}
	e.last = id.BatchIdx()
	e.touched = now
	p.lastEntry = e
	return e
}

// put notes the delivery of a member, or nil to forget it.
func (e *entry) put(member int, d *delivery) {
	if member >= len(e.members) {
		more := max(member+1, min(e.size, 2*member+16))
		e.members = append(e.members, make([]*delivery, more-len(e.members))...)
	}
	if isLive(e.members[member]) {
		e.live--
	}
	if isLive(d) {
		e.live++
	}
	e.members[member] = d
}

func isLive(d *delivery) bool { return d != nil && d != settledMessage }

// add notes that a member of the newest copy is in the acker. It reports whether the copy is complete.
func (e *entry) add(member int32) (complete bool) {
	word, bit := member/64, uint64(1)<<(member%64)
	if int(word) < len(e.acked) && e.acked[word]&bit == 0 {
		e.acked[word] |= bit
		e.count++
	}
	return e.count >= e.size
}

// close ends an entry that is confirmed: its members are remembered like messages that were alone.
func (p *partition) close(e *entry, now time.Time) {
	e.closed, e.closedAt = true, now
	p.memorize(memory{entry: e, count: e.size, when: now})
}

// forgetEntry forgets an entry that was confirmed, unless a copy has come meanwhile.
func (p *partition) forgetEntry(m memory, now time.Time) {
	e := m.entry
	switch {
	case !e.closed || !e.closedAt.Equal(m.when):
	case e.live > 0:
		p.close(e, now)
	default:
		p.drop(e)
	}
}

// drop forgets an entry and its members.
func (p *partition) drop(e *entry) {
	e.closed, e.closedAt = true, time.Time{}
	delete(p.entries, e.key)
	if p.lastEntry == e {
		p.lastEntry = nil
	}
}

// An entry of which nothing has come for this long is somebody else's.
const entryFor = 10 * time.Minute

// forgetEntries lets go of entries that others will complete.
func (p *partition) forgetEntries(now time.Time) {
	if now.Sub(p.swept) < time.Minute {
		return
	}
	p.swept = now
	for _, e := range p.entries {
		if e.live == 0 && !e.closed && now.Sub(e.touched) > entryFor {
			p.drop(e)
		}
	}
}
