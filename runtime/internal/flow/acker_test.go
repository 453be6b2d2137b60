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
