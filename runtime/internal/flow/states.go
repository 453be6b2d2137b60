package flow

import "fmt"

// This file owns the states of a delivery and what moves it from one to the next, as data. Besides its state a delivery
// has facts that end at different times: whether user code still has it (hands), whether it holds its lane and its
// credit, and whether it was reported. They follow from the states; see facts.

// A state is where a delivery stands.
type state uint8

const (
	waiting  state = iota // in a lane, or paused: no user code has it
	running               // user code has it
	inPlace               // between two tries in place: the lane is held, the slot is free, a timer runs
	held                  // decided; kept here until a timer says to settle it or to give it back
	settling              // decided; what replaces it is on its way
	acking                // decided; its id is in the acker
	unsure                // reported; its acknowledgement failed or is late, and is tried again
	nacked                // given back on purpose
	released              // left unacknowledged: shutdown, or its partition went to another consumer
	done                  // acknowledged
	states
)

// An event is what happens to a delivery.
type event uint8

const (
	start       event = iota // a slot is free, it is the head of its lane, nothing is paused
	returned                 // user code has returned
	acknowledge              // decided: handled, or dropped
	replace                  // decided: publish what replaces it
	keepHere                 // decided: keep it until its timer
	giveBack                 // decided, or after too many tries to settle it: negatively acknowledge
	release                  // decided: leave it unacknowledged
	tryInPlace               // decided: run it again here
	putBack                  // it is to be a member of a batch, or to wait for one
	wake                     // its timer says so
	replaced                 // what replaces it is confirmed
	refused                  // what replaces it could not be published
	accepted                 // acknowledged as a member of an entry of which others are not
	confirmed                // its acknowledgement is confirmed
	unconfirmed              // its acknowledgement failed, or there is none in time
	copied                   // Pulsar handed over the message once more
	stopped                  // receiving has ended
	lost                     // its partition is another consumer's now
	graceOver                // the time for handlers is over
	abandoned                // all time is over
	events
)

// transitions is the table. A pair that is not in it cannot happen.
var transitions = []struct {
	from state
	on   event
	to   state
}{
	{waiting, start, running},
	{waiting, acknowledge, acking}, // it is to be skipped, which is known without a slot
	{waiting, copied, waiting},
	{waiting, stopped, released},
	{waiting, lost, released},
	{waiting, graceOver, released},
	{waiting, abandoned, released},

	{running, returned, running}, // decided by somebody who has not said so yet
	{running, acknowledge, acking},
	{running, replace, settling},
	{running, keepHere, held},
	{running, giveBack, nacked},
	{running, release, released},
	{running, tryInPlace, inPlace},
	{running, putBack, waiting},
	{running, copied, running},
	{running, stopped, running},
	{running, lost, running},
	{running, graceOver, released},
	{running, abandoned, released},

	{inPlace, returned, inPlace}, // a timed out run that ends late
	{inPlace, wake, waiting},
	{inPlace, copied, inPlace},
	{inPlace, stopped, released},
	{inPlace, lost, released},
	{inPlace, graceOver, released},
	{inPlace, abandoned, released},

	{held, returned, held},
	{held, wake, settling},
	{held, giveBack, nacked},
	{held, release, released},
	{held, copied, held},
	{held, stopped, held}, // what waits for its delay is told to release, the rest is tried again at once
	{held, lost, released},
	{held, graceOver, released},
	{held, abandoned, released},

	{settling, returned, settling},
	{settling, replaced, acking},
	{settling, refused, held},
	{settling, copied, settling},
	{settling, stopped, settling},
	{settling, lost, settling},
	{settling, graceOver, settling},
	{settling, abandoned, released},

	{acking, returned, acking},
	{acking, accepted, done},
	{acking, confirmed, done},
	{acking, unconfirmed, unsure},
	{acking, copied, acking},
	{acking, stopped, acking},
	{acking, lost, acking},
	{acking, graceOver, acking},
	{acking, abandoned, released},

	{unsure, returned, unsure},
	{unsure, wake, unsure},
	{unsure, accepted, done},
	{unsure, confirmed, done},
	{unsure, unconfirmed, unsure},
	{unsure, release, released},
	{unsure, copied, unsure},
	{unsure, stopped, unsure},
	{unsure, lost, released},
	{unsure, graceOver, released},
	{unsure, abandoned, released},

	{nacked, returned, nacked},
	{released, returned, released},
	{done, returned, done},
}

// A Transition is a row of the table.
type Transition struct{ State, Event, Becomes string }

// Transitions returns the table, as Config.Trace is told of it: for tests that are to meet all of it.
func Transitions() []Transition {
	rows := make([]Transition, len(transitions))
	for i, t := range transitions {
		rows[i] = Transition{t.from.String(), t.on.String(), t.to.String()}
	}
	return rows
}

// cannot stands for the pairs that cannot happen.
const cannot = states

// next is the table by state and event.
var next = func() (next [states][events]state) {
	for s := range next {
		for e := range next[s] {
			next[s][e] = cannot
		}
	}
	for _, t := range transitions {
		next[t.from][t.on] = t.to
	}
	return next
}()

// facts are what follows from a state.
var facts = [states]struct {
	settled bool // the lane is free once user code has returned: the next of its key may start
	reports bool // observers are told, unless they have been
	leaves  bool // it leaves the registry, and its credit is free
}{
	acking:   {settled: true},
	unsure:   {settled: true, reports: true},
	nacked:   {settled: true, reports: true, leaves: true},
	released: {settled: true, reports: true, leaves: true},
	done:     {settled: true, reports: true, leaves: true},
}

func (s state) String() string {
	return [...]string{
		"waiting", "running", "in place", "held", "settling", "acking", "unsure", "nacked", "released", "done", "-",
	}[s]
}

func (e event) String() string {
	return [...]string{
		"start", "returned", "acknowledge", "replace", "keep here", "give back", "release", "try in place", "put back",
		"wake",
		"replaced", "refused", "accepted", "confirmed", "unconfirmed", "copied", "stopped", "lost", "grace over",
		"abandoned",
	}[e]
}

// An impossibleError is an event that cannot happen in a state: a mistake in this package.
type impossibleError struct {
	state state
	event event
}

func (e *impossibleError) Error() string {
	return fmt.Sprintf("a delivery that is %s cannot meet the event %q", e.state, e.event)
}
