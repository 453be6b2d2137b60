package flow

import (
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// newTestPartition returns a partition and its acker.
func newTestPartition(t *testing.T) (*partition, *acker) {
	a := newTestFlow(t, nil).ackerOf("persistent://a/b/c", &source{})
	return a.partition, a
}

// TestMessagesAreFoundByTheirIDs puts messages that differ in one part of their ids each.
func TestMessagesAreFoundByTheirIDs(t *testing.T) {
	p, _ := newTestPartition(t)
	keys := []key{{1, 0, 0}, {1, 1, 0}, {1, pageSize, 0}, {2, 0, 0}, {1, 0, 1}, {1, -1, 0}}
	deliveries := make([]delivery, len(keys))
	for i, k := range keys {
		if got := p.find(k, nil); got != nil {
			t.Errorf("%v is found before it is there", k)
		}
		p.put(k, nil, &deliveries[i])
	}
	for i, k := range keys {
		if got := p.find(k, nil); got != &deliveries[i] {
			t.Errorf("%v is not found, or another one", k)
		}
	}
	for _, k := range keys {
		p.put(k, nil, nil)
		p.put(k, nil, nil) // twice is once
	}
	if len(p.pages) != 0 {
		t.Errorf("%d pages are kept for nothing", len(p.pages))
	}
}

// TestWhatIsDoneIsRememberedForAWhile: 10 s, and no more than 65,536 messages.
func TestWhatIsDoneIsRememberedForAWhile(t *testing.T) {
	p, _ := newTestPartition(t)
	now := time.Now()
	k := key{1, 1, 0}
	p.remember(&delivery{key: k}, now)
	if p.forget(now.Add(rememberFor - 1)); p.find(k, nil) != settledMessage {
		t.Error("forgotten too early")
	}
	if p.forget(now.Add(rememberFor)); p.find(k, nil) != nil || len(p.pages) != 0 {
		t.Error("remembered for too long")
	}
	for i := range int64(rememberMost + 100) {
		p.remember(&delivery{key: key{2, i, 0}}, now)
		p.forget(now)
	}
	if p.find(key{2, 99, 0}, nil) != nil || p.find(key{2, 100, 0}, nil) != settledMessage || p.remembered != rememberMost {
		t.Errorf("%d messages are remembered", p.remembered)
	}
}

// TestAnEntryIsRememberedAsAWhole: from its confirmation on, unless a copy comes.
func TestAnEntryIsRememberedAsAWhole(t *testing.T) {
	p, a := newTestPartition(t)
	now := time.Now()
	member := func(i int32) memberID { return memberID{pulsar.NewMessageID(1, 1, i, 0), 3} }
	settle := func() (e *entry) {
		for i := range int32(3) {
			e = p.meet(a, member(i), now)
			p.remember(&delivery{key: keyOf(member(i)), entry: e}, now)
		}
		return e
	}
	e := settle()
	if p.forget(now.Add(time.Hour)); p.find(key{1, 1, 2}, e) != settledMessage {
		t.Error("a member of an open entry is forgotten")
	}
	p.close(e, now)
	now = now.Add(rememberFor / 2)
	settle() // a copy
	if p.forget(now.Add(rememberFor)); p.entries[e.key] != e {
		t.Error("an entry is forgotten although a copy of it has come")
	}
	live := &delivery{}
	p.put(key{1, 1, 1}, e, live)
	p.close(e, now)
	if p.forget(now.Add(rememberFor)); p.find(key{1, 1, 1}, e) != live || p.entries[e.key] != e {
		t.Error("a message that is not done is forgotten")
	}
	p.put(key{1, 1, 1}, e, settledMessage)
	if p.forget(now.Add(2 * rememberFor)); len(p.entries) != 0 || p.remembered != 0 {
		t.Errorf("%d entries and %d messages are remembered for too long", len(p.entries), p.remembered)
	}
}
