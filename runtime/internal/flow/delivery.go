package flow

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns what is kept of a delivery, and moves it through its states.

// A key identifies a message within a partition.
type key struct {
	ledger, entry int64
	member        int32 // of a batch
}

func keyOf(id pulsar.MessageID) key { return key{id.LedgerID(), id.EntryID(), max(id.BatchIdx(), 0)} }

// A delivery is a message and all that this process does with it. The flow's lock guards its fields unless said
// otherwise.
type delivery struct {
	msg      pulsar.Message
	acker    *acker  // of the newest copy
	source   *source // through which it came first; does not change
	key      key
	id       pulsar.MessageID // of the newest copy; the client knows ids as objects
	entry    *entry           // of which it is a member, or nil
	copy     int              // of its entry, that the id is of
	size     int64
	received time.Time

	older, newer *delivery // among those that are live

	state    state
	hands    bool // user code has it
	reported bool
	lane     *lane     // held, or waited for; nil for none
	batch    *batch    // of which it is or was the last time a member
	then     *batch    // runs when this one is settled
	blocked  bool      // waits for members of batches before it in its lane
	behind   *delivery // the same message, given back and delivered again while user code still has this one

	exhaustedBy error // it failed for the last time here before, for this reason

	first runContext // of the first run

	runs      uint32
	undecided atomic.Uint32 // the run that is not resolved yet, or 0; taken by compare-and-swap
	said      atomic.Uint32 // what user code has said of a run, with the run
	clock     atomic.Pointer[time.Timer]
	timer     *time.Timer // in place and held
	woken     bool        // in place: the timer is over, but user code still has it

	verdict Verdict       // written by the first run, before user code has it
	known   atomic.Bool   // the verdict is there
	took    time.Duration // all resolved runs
	delay   time.Duration // that the decision asked for

	decision    decision
	exhausted   bool // what settles it is the function for exhausted messages
	settleErr   error
	settleTries int
	placeTries  int
	asked       bool // held for the delay that was asked for, not because settling failed

	inAckBatch bool // acknowledgements of its partition wait for it
	carriedOut bool // all is done but its acknowledgement
	pending    int  // ids of it that are in the acker
}

// apply moves a delivery. It reports whether the event could happen; one that could not is logged and changes nothing.
// The caller holds the lock.
func (f *Flow) apply(d *delivery, e event) bool {
	to := next[d.state][e]
	if to == cannot {
		f.config.Logger.Error("the consume pipeline has a mistake: please report it",
			"error", (&impossibleError{d.state, e}).Error())
		return false
	}
	if f.config.Trace != nil {
		f.config.Trace(d.state.String(), e.String(), to.String())
	}
	from := d.state
	d.state = to
	switch e {
	case start:
		d.hands = true
		f.hands++
	case returned:
		d.hands = false
	}
	fact := facts[to]
	if fact.settled && d.lane != nil && !d.hands {
		f.freeLane(d)
	}
	if fact.settled && d.then != nil && !d.hands {
		f.ripen(d.then)
		d.then = nil
	}
	if d.inAckBatch && !to.isUnhandled() {
		f.endAckBatch(d)
	}
	if fact.reports && !d.reported {
		f.report(d)
	}
	if fact.leaves && from != to {
		f.leave(d)
	}
	if e == returned {
		f.afterReturn(d)
	}
	if to == acking && from != acking {
		d.carriedOut = true
		f.handIn(d)
	}
	return true
}

// afterReturn does what waited for user code to let go of a delivery.
func (f *Flow) afterReturn(d *delivery) {
	if d.state == inPlace && d.woken {
		f.wakeInPlace(d)
	}
	if p := d.acker.partition; p.zombies[d.key] == d {
		delete(p.zombies, d.key)
	}
	for next := d.behind; next != nil; next = next.behind {
		if next.state == waiting {
			f.enqueue(next)
		}
	}
	d.behind = nil
	f.hands--
	f.checkIdle()
}

// after has fn called with the lock held, unless the timer is stopped first.
func (f *Flow) after(d *delivery, wait time.Duration, fn func()) {
	var timer *time.Timer
	timer = time.AfterFunc(wait, func() {
		f.mu.Lock()
		defer f.unlock()
		if d.timer == timer {
			d.timer = nil
			fn()
		}
	})
	d.timer = timer
}

func (d *delivery) stopTimer() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

// Classify says what a message is.
func Classify(msg pulsar.Message, routes Routes, accept Accept) Verdict {
	if msg.GetEncryptionContext() != nil { // which the client leaves to what it could not decrypt
		return Verdict{Kind: IsEncrypted, Err: errNoKey}
	}
	return classify(msg.Payload(), msg.Properties(), msg.RedeliveryCount(), routes, accept)
}

// skips reports whether a message that has just been received is to be skipped, and notes what is known of it then.
// Only one whose properties say so is looked at here; all others are looked at on a slot. The caller holds the lock.
func (f *Flow) skips(d *delivery) bool {
	s := f.config.Service
	if s == nil || !s.seemsSkipped(d.msg.Properties(), f.config.Routes, d.retriesAreForeign()) {
		return false
	}
	v := f.verdictOf(d)
	if v.Kind != IsSkipped {
		return false // poison, or gated
	}
	d.verdict = v
	d.known.Store(true)
	d.decision = decide(v, outcome{}, d.policy())
	return true
}

// verdictOf says what a delivery is.
func (f *Flow) verdictOf(d *delivery) Verdict {
	v := Classify(d.msg, f.config.Routes, f.config.Accept)
	v.asRecord(f.config.Records)
	if s := f.config.Service; s != nil {
		s.sift(&v, d.msg.Properties(), f.config.Routes, d.retriesAreForeign())
	}
	return v
}

// retriesAreForeign reports whether a message that was delivered before is another consumer's retry.
func (d *delivery) retriesAreForeign() bool { return d.source.from.RetriesAreForeign }

// policy returns what is done with messages of the delivery's queue.
func (d *delivery) policy() Policy { return d.source.policy }

// retriesByNack reports whether a retry of the delivery is a negative acknowledgement. That of a record always is: what
// is published again loses its schema, which the Pulsar client only sends with batches.
func (d *delivery) retriesByNack() bool {
	return d.policy().ByNack || d.verdict.Kind == IsRecord && d.source.shares
}

var errNoKey = errors.New("the consumer has no key to decrypt it")
