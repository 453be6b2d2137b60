package flow

import "time"

// This file owns the time by which the registry forgets. It is late while reception is held back, so that a copy of a
// message that was settled meanwhile, which is still in the client, is not taken for a replay.

// catchUp is how long reception goes on until copies that came while it was held back have been received.
const catchUp = time.Second

// An aging follows what of the past the intake has caught up with. After a connection was lost Pulsar delivers what is
// not acknowledged before what is new, so copies come behind what the client had on its way to Receive, which is
// little. A busy consumer, whose reception never goes on for long, has caught up when it has received so many more.
type aging struct {
	held     bool
	went     time.Time // reception has gone on since then; zero: from the beginning
	to       time.Time // caught up with
	mark     time.Time // is caught up with when enough was received after it
	received int       // after the mark
}

// hold notes that reception is held back from now on.
func (a *aging) hold(now time.Time) {
	if a.held {
		return
	}
	a.held = true
	if now.Sub(a.went) >= catchUp {
		a.to, a.mark, a.received = now, now, 0
	}
}

// goOn notes that reception goes on from now on.
func (a *aging) goOn(now time.Time) { a.held, a.went = false, now }

// receive notes that a message was received. most is how many there may be in front of a copy.
func (a *aging) receive(now time.Time, most int) {
	if a.received++; a.received > most {
		a.to, a.mark, a.received = a.mark, now, 0
	}
}

// by returns the time by which the registry forgets.
func (a *aging) by(now time.Time) time.Time {
	if !a.held && now.Sub(a.went) >= catchUp {
		return now
	}
	return a.to
}
