package bq

import (
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A nackBackoff is the wait before a negatively acknowledged message is delivered again. The client's own policy
// overflows at redelivery 34 and then does not wait at all.
type nackBackoff struct{ shortest, longest time.Duration }

// Next returns the wait before the redelivery that follows redeliveries others.
func (b nackBackoff) Next(redeliveries uint32) time.Duration {
	return doubling(b.shortest, b.longest, int64(redeliveries))
}

// nackTimers are negative acknowledgements to come. Until then their messages stay unacknowledged.
type nackTimers struct {
	mu      sync.Mutex
	timers  map[string]*time.Timer // by message id
	stopped bool
}

// after calls nack after the delay, unless the message is received again first: a reconnected consumer gets what it had
// not acknowledged at once.
func (t *nackTimers) after(id pulsar.MessageID, delay time.Duration, nack func()) {
	if delay <= 0 {
		nack()
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopped {
		return
	}
	if t.timers == nil {
		t.timers = make(map[string]*time.Timer)
	}
	key := id.String()
	t.timers[key] = time.AfterFunc(delay, func() {
		if t.forget(key) {
			nack()
		}
	})
}

// received takes back what is to come for a message.
func (t *nackTimers) received(id pulsar.MessageID) {
	if t.mu.Lock(); len(t.timers) == 0 {
		t.mu.Unlock()
		return
	}
	t.mu.Unlock()
	t.forget(id.String())
}

// forget reports whether there was something to come.
func (t *nackTimers) forget(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	timer, ok := t.timers[key]
	if ok {
		timer.Stop()
		delete(t.timers, key)
	}
	return ok
}

// stop takes back everything: the consumer closes, and its messages are delivered again.
func (t *nackTimers) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopped = true
	for _, timer := range t.timers {
		timer.Stop()
	}
	t.timers = nil
}
