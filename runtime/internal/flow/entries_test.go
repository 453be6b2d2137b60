package flow

import (
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// TestAnEntryIsAcknowledgedWhenACopyOfItIsComplete follows the members of a batch through copies of it.
func TestAnEntryIsAcknowledgedWhenACopyOfItIsComplete(t *testing.T) {
	const size = 70 // more than a word of bits
	p, a := newTestPartition(t)
	member := func(i int32) memberID { return memberID{pulsar.NewMessageID(1, 1, i, 0), size} }
	var e *entry
	for i := range int32(size) {
		e = p.meet(a, member(i), time.Now())
	}
	for i := range int32(size - 1) {
		if e.add(i) {
			t.Fatalf("complete after %d members", i+1)
		}
		e.add(i) // twice is once
	}
	p.meet(a, member(0), time.Now()) // a copy
	for i := range int32(size) {
		if complete := e.add(i); complete != (i == size-1) {
			t.Errorf("the copy is complete after %d members: %v", i+1, complete)
		}
	}
	if e.copy != 1 {
		t.Errorf("copy %d, want 1", e.copy)
	}
	other := &acker{partition: p}
	if p.meet(other, member(size-1), time.Now()); e.copy != 2 || e.acker != other || e.count != 0 {
		t.Errorf("copy %d with %d members after one came through another source, want 2 and none", e.copy, e.count)
	}
}

// TestEntriesOfOthersAreForgotten leaves an entry open, as one is whose other members another consumer has.
func TestEntriesOfOthersAreForgotten(t *testing.T) {
	p, a := newTestPartition(t)
	now := time.Now()
	id := memberID{pulsar.NewMessageID(1, 1, 4, 0), 9}
	e := p.meet(a, id, now)
	p.put(keyOf(id), e, &delivery{})
	if p.forgetEntries(now.Add(2 * entryFor)); len(p.entries) != 1 {
		t.Error("an entry is forgotten that has a message which is not done")
	}
	p.put(keyOf(id), e, settledMessage)
	if p.forgetEntries(now.Add(4 * entryFor)); len(p.entries) != 0 || !e.closed {
		t.Error("an entry of others is remembered for ever")
	}
}

// A memberID is the id of a member of a batch.
type memberID struct {
	pulsar.MessageID
	size int32
}

func (id memberID) BatchSize() int32 { return id.size }
