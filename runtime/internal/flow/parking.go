package flow

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns messages that come while another consumer of a Failover subscription has their partition. Most of them
// are what the client had fetched before, and the other consumer gets them too. But Pulsar 4.0.7 also sends messages to
// a consumer up to a second before it tells it that the partition is its own, and does not always send them again. So
// they wait for that, and are handled if it comes soon.

const (
	parkedFor  = 10 * time.Second
	parkedMost = 4096 // of a partition
)

// A parked is a message that waits.
type parked struct {
	msg  pulsar.Message
	when time.Time
}

// park has a message wait. The caller holds the lock.
func (f *Flow) park(a *acker, msg pulsar.Message, now time.Time) {
	if !a.active && len(a.parked) >= parkedMost {
		a.forgetOldest()
	}
	a.parked = append(a.parked, parked{msg, now})
	f.expire(a)
}

// expire forgets what was parked too long ago, now or as soon as it was. The caller holds the lock.
func (f *Flow) expire(a *acker) {
	if a.active || a.expiring || len(a.parked) == 0 {
		return
	}
	a.expiring = true
	time.AfterFunc(time.Until(a.parked[0].when.Add(parkedFor)), func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		a.expiring = false
		a.forgetParked(time.Now().Add(-parkedFor))
		f.expire(a)
	})
}

// forgetParked forgets what was parked by then, unless the partition has come.
func (a *acker) forgetParked(then time.Time) {
	for !a.active && len(a.parked) > 0 && !a.parked[0].when.After(then) {
		a.forgetOldest()
	}
}

// forgetOldest forgets the message that was parked first, and with it the other members of its entry: Pulsar
// acknowledges an entry as a whole, and sends it again as a whole. Messages of a topic that is not persistent may all
// have the same id.
func (a *acker) forgetOldest() {
	oldest := keyOf(a.takeParked().ID())
	for a.partition.persistent && len(a.parked) > 0 {
		if k := keyOf(a.parked[0].msg.ID()); k.ledger != oldest.ledger || k.entry != oldest.entry {
			return
		}
		a.takeParked()
	}
}

// takeParked takes the message away that was parked first.
func (a *acker) takeParked() pulsar.Message {
	msg := a.parked[0].msg
	a.parked[0] = parked{}
	a.parked = a.parked[1:]
	return msg
}

// unpark has what is parked registered, since the partition has come. The caller holds the lock.
func (f *Flow) unpark(a *acker) {
	if len(a.parked) > 0 && !a.feeding {
		a.feeding = true
		go f.feed(a)
	}
}

// feed registers what was parked, as credits allow.
func (f *Flow) feed(a *acker) {
	f.mu.Lock()
	defer f.unlock()
	w := f.newWaiter()
	due := func() bool { return a.active && len(a.parked) > 0 && !f.stopping }
	for due() {
		if f.awaitCredit(w); due() {
			f.enter(a, a.takeParked(), time.Now())
		}
	}
	a.feeding = false
	f.expire(a)
}
