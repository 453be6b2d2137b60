package flow

import (
	"math/bits"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns the entries of producers that batch. Pulsar completes an entry as a whole, and the client counts its
// members per copy: what was acknowledged of one copy says nothing about the next.

// An entryKey identifies an entry within a partition.
type entryKey struct{ ledger, entry int64 }

// An entry is a batch of which at least one member was received and which is not confirmed as a whole.
type entry struct {
	touched time.Time // when a member came last
	size    int
	copy    int   // counts the copies that came
	last    int32 // the member of the newest copy that came last
	acked   []uint64
	count   int // members of the newest copy that are in the acker, or were
}

// entryOf returns the open entry of a member, or nil for a message that is alone.
func (p *partition) entryOf(k key) *entry { return p.entries[entryKey{k.ledger, k.entry}] }

// copyOf returns which copy of its entry a message that has just come is of.
func (p *partition) copyOf(k key) int {
	if e := p.entryOf(k); e != nil {
		return e.copy
	}
	return 0
}

// isMember reports whether a message is one of several in its entry.
func isMember(id pulsar.MessageID) bool { return id.BatchSize() > 1 && id.BatchIdx() >= 0 }

// meet notes that a member came. The members of a copy come in order, so one that is not behind the last is of a new
// copy.
func (p *partition) meet(id pulsar.MessageID, now time.Time) {
	if !isMember(id) {
		return
	}
	k := entryKey{id.LedgerID(), id.EntryID()}
	e := p.entries[k]
	switch {
	case e == nil:
		size := int(id.BatchSize())
		e = &entry{size: size, acked: make([]uint64, (size+63)/64)}
		p.entries[k] = e
	case id.BatchIdx() <= e.last:
		e.copy++
		e.count = 0
		clear(e.acked)
	}
	e.last = id.BatchIdx()
	e.touched = now
}

// add notes that a member of the newest copy is in the acker. It reports whether the copy is complete.
func (e *entry) add(member int32) (complete bool) {
	word, bit := member/64, uint64(1)<<(member%64)
	if int(word) < len(e.acked) && e.acked[word]&bit == 0 {
		e.acked[word] |= bit
		e.count++
	}
	return e.count >= e.size
}

// members returns the members of the newest copy that are in the acker.
func (e *entry) members() []int32 {
	var members []int32
	for i, word := range e.acked {
		for ; word != 0; word &= word - 1 {
			members = append(members, int32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return members
}

// close ends an entry that is confirmed: its members are remembered like messages that were alone.
func (f *Flow) closeEntry(p *partition, k entryKey, e *entry) {
	delete(p.entries, k)
	now := time.Now()
	for _, member := range e.members() {
		id := key{k.ledger, k.entry, member}
		if d, known := p.messages[id]; known && d == nil {
			p.memory = append(p.memory, memory{id, now})
		}
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
	for k, e := range p.entries {
		if now.Sub(e.touched) > entryFor {
			p.dropEntry(k, e)
		}
	}
}

// dropEntry forgets an entry and its members, unless one of them is not settled.
func (p *partition) dropEntry(k entryKey, e *entry) {
	for member := range int32(e.size) {
		if p.messages[key{k.ledger, k.entry, member}] != nil {
			return
		}
	}
	for member := range int32(e.size) {
		delete(p.messages, key{k.ledger, k.entry, member})
	}
	delete(p.entries, k)
}
