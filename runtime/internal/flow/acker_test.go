package flow

import (
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// TestTheAckerSendsWhatCameTogether follows requests: one under way, and the ids that came meanwhile in the next.
func TestTheAckerSendsWhatCameTogether(t *testing.T) {
	c := &slowAcks{calls: make(chan []pulsar.MessageID, 10), answer: make(chan error)}
	f := newTestFlow(t, nil)
	a := f.ackerOf("persistent://a/b/c", &source{consumer: c})
	hand := func(entry int64) {
		f.mu.Lock()
		f.hand(a, handed{id: pulsar.NewMessageID(1, entry, 0, 0), complete: true, at: time.Now()})
		f.unlock()
	}
	hand(0)
	if first := <-c.calls; len(first) != 1 {
		t.Errorf("a lone id waits for others: %v", first)
	}
	for entry := range int64(requestMost + 10) {
		hand(entry + 1)
	}
	for _, want := range []int{requestMost, 10} {
		c.answer <- nil
		if ids := <-c.calls; len(ids) != want {
			t.Errorf("a request has %d ids, want %d", len(ids), want)
		}
	}
	c.answer <- nil
	if len(c.calls) != 0 {
		t.Error("a request has no ids")
	}
}

// slowAcks answers an acknowledgement when it is told to.
type slowAcks struct {
	pulsar.Consumer
	calls  chan []pulsar.MessageID
	answer chan error
}

func (c *slowAcks) AckIDList(ids []pulsar.MessageID) error {
	c.calls <- ids
	return <-c.answer
}

// TestAnAcknowledgementIsTriedAgainAfterAnOlderOneWasAnswered: the id of a copy is refused while that of the copy
// before is still under way, as when a connection is lost.
func TestAnAcknowledgementIsTriedAgainAfterAnOlderOneWasAnswered(t *testing.T) {
	for _, older := range []error{nil, errNope} {
		c := &slowAcks{calls: make(chan []pulsar.MessageID, 10), answer: make(chan error)}
		f := newTestFlow(t, nil)
		d := newTestDelivery(f, acking)
		a := d.acker
		a.source.consumer = c
		oldID, newID := d.id, pulsar.NewMessageID(1, 2, 0, 0)
		f.mu.Lock()
		old := &request{ids: []handed{{id: oldID, delivery: d, complete: true, at: time.Now()}}, at: time.Now()}
		d.pending, d.id = 1, newID
		f.apply(d, unconfirmed)
		refused := handed{id: newID, delivery: d, complete: true}
		f.unlock()
		f.handAgain(a, refused) // the older one is under way
		f.mu.Lock()
		f.answered(a, old, older)
		a.current = nil
		f.acknowledge(a)
		f.unlock()
		select {
		case ids := <-c.calls:
			if ids[0] != newID {
				t.Errorf("the id handed in again is %v, want that of the newest copy", ids[0])
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("after the answer %v the newest id is never handed in again", older)
		}
		c.answer <- nil
		await(t, f, func() bool { return d.state == done && f.unsettled == 0 })
	}
}
