package flow

import (
	"context"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A parkedMessage is a message of which only its place is asked for.
type parkedMessage struct {
	fakeMessage
	entry  int64
	member int32
}

func (m parkedMessage) ID() pulsar.MessageID { return pulsar.NewMessageID(1, m.entry, m.member, 0) }

// await waits until ok holds under the flow's lock.
func await(t *testing.T, f *Flow, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		f.mu.Lock()
		holds := ok()
		f.mu.Unlock()
		if holds {
			return
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			t.Fatal("waited for a minute")
		}
	}
}

// TestAMessageThatComesBeforeItsPartitionIsHandledAfterwards: Pulsar tells a consumer up to a second late that a
// partition of a Failover subscription is its own.
func TestAMessageThatComesBeforeItsPartitionIsHandledAfterwards(t *testing.T) {
	f := newTestFlow(t, nil)
	f.config.Limit.Messages, f.window = 3, 3
	s := &source{}
	topic := parkedMessage{}.Topic()
	receive := func(entry int64) {
		f.mu.Lock()
		defer f.unlock()
		f.register(parkedMessage{entry: entry}, s, time.Now())
	}
	f.turn(topic, s, false)
	for entry := range int64(4) {
		receive(entry)
	}
	a := f.ackerOf(topic, s)
	if f.unsettled != 0 || len(a.parked) != 4 {
		t.Fatalf("%d messages are registered and %d parked, want 0 and 4", f.unsettled, len(a.parked))
	}
	f.turn(topic, s, true)
	await(t, f, func() bool { return f.unsettled == 3 })
	receive(4) // behind the others
	f.mu.Lock()
	if len(a.parked) != 2 {
		t.Errorf("%d messages wait for a credit, want 2", len(a.parked))
	}
	var order []int64
	for d := range f.live.all {
		order = append(order, d.key.entry)
		f.apply(d, start)
		f.apply(d, release)
	}
	f.mu.Unlock()
	await(t, f, func() bool { return f.unsettled == 2 && !a.feeding })
	for d := range f.live.all {
		order = append(order, d.key.entry)
	}
	for i, entry := range order {
		if entry != int64(i) {
			t.Errorf("the order is %v", order)
			break
		}
	}
}

// TestMessagesOfOthersAreForgotten parks messages of a partition that does not come.
func TestMessagesOfOthersAreForgotten(t *testing.T) {
	f := newTestFlow(t, nil)
	s := &source{}
	topic := parkedMessage{}.Topic()
	f.turn(topic, s, false)
	a := f.ackerOf(topic, s)
	now := time.Now()
	for entry := range int64(parkedMost + 5) {
		f.mu.Lock()
		f.register(parkedMessage{entry: entry}, s, now.Add(time.Duration(entry)))
		f.unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(a.parked) != parkedMost || a.parked[0].msg.(parkedMessage).entry != 5 {
		t.Errorf("%d messages are parked, the first is %v", len(a.parked), a.parked[0].msg)
	}
	if a.forgetParked(now.Add(9)); len(a.parked) != parkedMost-5 {
		t.Errorf("%d messages are parked after some were forgotten", len(a.parked))
	}
	a.active = true
	if a.forgetParked(now.Add(time.Hour)); len(a.parked) != parkedMost-5 {
		t.Error("a message is forgotten whose partition has come")
	}
}

// TestAParkedEntryIsForgottenAsAWhole: of what is left of an entry nothing could be acknowledged.
func TestAParkedEntryIsForgottenAsAWhole(t *testing.T) {
	f := newTestFlow(t, nil)
	s := &source{}
	topic := parkedMessage{}.Topic()
	f.turn(topic, s, false)
	a := f.ackerOf(topic, s)
	now := time.Now()
	f.mu.Lock()
	defer f.unlock()
	receive := func(entry int64, member int32) {
		f.register(parkedMessage{entry: entry, member: member}, s, now)
		now = now.Add(time.Millisecond)
	}
	first := now
	for member := range int32(3) {
		receive(0, member)
	}
	receive(1, 0)
	if a.forgetParked(first); len(a.parked) != 1 {
		t.Errorf("%d messages are parked, want the one of the second entry", len(a.parked))
	}
	for member := int32(1); len(a.parked) < parkedMost; member++ {
		receive(1+int64(member/3), member%3)
	}
	receive(parkedMost, 0)
	if first := a.parked[0].msg.(parkedMessage); first.entry != 2 || first.member != 0 {
		t.Errorf("the first that is parked is member %d of entry %d, want 0 of 2", first.member, first.entry)
	}
}
