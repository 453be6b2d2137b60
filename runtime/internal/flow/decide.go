package flow

import (
	"time"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// This file owns what is done with a delivery: the table of section 8 of the contract. It is pure.

// An Action is what was done with a delivery.
type Action string

// The actions. DeadLettered, Dropped and, by publishing again, Retried end with an acknowledgement of the delivery.
const (
	Acknowledged Action = "acknowledged"  // handled (SET-1, SET-4)
	Retried      Action = "retried"       // published again, or given back (RET-1, RET-2, RET-7)
	DeadLettered Action = "dead-lettered" // published to the dead-letter topic
	Dropped      Action = "dropped"       // given up where there is no dead-letter topic
	Skipped      Action = "skipped"       // not for this service: acknowledged unseen (FAN-5 to FAN-7)
	Snoozed      Action = "snoozed"       // published again without counting an attempt
	Discarded    Action = "discarded"     // acknowledged although its handler failed
	Recovered    Action = "recovered"     // given to the function for exhausted messages
	Returned     Action = "returned"      // what replaces it could not be published: given back
	Released     Action = "released"      // left unacknowledged: Pulsar delivers it again
)

// Gated is the reason of a dead letter or a drop whose envelope version is not supported. It is not on the wire: such a
// message is moved as it is (GATE-5).
const Gated envelope.Reason = "gated"

// Undecryptable is the reason of a drop whose payload the consumer has no key for. It is not on the wire.
const Undecryptable envelope.Reason = "undecryptable"

// A Policy is what decide needs to know of the consumer.
type Policy struct {
	MaxAttempts       int64
	HasDeadLetter     bool
	HandlesUnknown    bool    // a function takes what nobody handles
	Backoff           Backoff // the wait before a retry, by deliveries so far; nil for none
	DropUndecryptable bool
	ByNack            bool // retries are negative acknowledgements
	// Native says that the Pulsar client moves what was delivered too often: nothing is given up here.
	Native bool
}

// A decision is what is to be done with a delivery.
type decision struct {
	action  Action
	reason  envelope.Reason // DeadLettered, Dropped
	counted int64           // deliveries, this one included (MAX-2)
	delay   time.Duration   // Retried
	final   bool            // Retried, so that the client gives it up in the end: no handler gets it again
	err     error           // what was wrong
}

// maxDelay bounds the wait before a retry, which Pulsar takes as an absolute time.
const maxDelay = 10 * 365 * 24 * time.Hour

// decide says what is done with a delivery. The outcome counts only where user code had the delivery: a handler, or the
// function for unknown URNs.
func decide(v Verdict, o outcome, p Policy) decision {
	d := decision{counted: v.Attempts + 1, err: v.Err}
	retriesLeft := d.counted < p.MaxAttempts // MAX-2, MAX-3
	switch v.Kind {
	case IsGated: // outside max attempts, never retried (GATE-4, GATE-10, SET-7)
		return d.giveUp(Gated, p)
	case IsSkipped:
		d.reason = v.Skip
		return d.done(Skipped)
	case IsEncrypted: // a record would lose what is needed to decrypt it later
		if p.DropUndecryptable {
			d.action, d.reason = Dropped, Undecryptable
			return d
		}
		return d.done(Returned)
	case IsPoison: // SET-8, UNK-3: at once, or bounded when there is nowhere to put it
		if p.HasDeadLetter || !retriesLeft {
			return d.giveUp(envelope.Poison, p)
		}
		return d.retry(p.wait(d.counted))
	case IsRecord:
		return d.after(o, envelope.Poison, p)
	case IsUnhandled: // UNK-1, UNK-2
		switch {
		case p.HandlesUnknown: // SET-4
			return d.after(o, envelope.UnknownURN, p)
		case !retriesLeft: // SET-6
			return d.giveUp(envelope.UnknownURN, p)
		}
		return d.retry(p.wait(d.counted)) // SET-5
	}
	return d.after(o, envelope.Failed, p)
}

// after says what is done with a delivery that user code had.
func (d decision) after(o outcome, reason envelope.Reason, p Policy) decision {
	d.err = o.err
	retriesLeft := d.counted < p.MaxAttempts
	switch {
	case o.interrupted:
		return d.done(Released)
	case o.err == nil: // SET-1
		return d.done(Acknowledged)
	case o.stop:
		return d.done(Released)
	case o.permanent: // SET-3, DLQ-8
		return d.giveUp(reason, p)
	case o.discarded:
		return d.done(Discarded)
	case o.snoozed:
		d.counted-- // this one is not
		d.action, d.delay = Snoozed, min(max(o.delay, 0), maxDelay)
		return d
	case !retriesLeft: // SET-3, MAX-4, DLQ-8
		return d.giveUp(reason, p)
	case o.delayed: // SET-2; what the handler asks for wins over the backoff
		return d.retry(o.delay)
	default:
		return d.retry(p.wait(d.counted))
	}
}

// wait returns how long the retry after so many deliveries waits.
func (p Policy) wait(counted int64) time.Duration {
	if p.Backoff == nil {
		return 0
	}
	return p.Backoff(counted)
}

func (d decision) done(a Action) decision {
	d.action = a
	return d
}

func (d decision) retry(delay time.Duration) decision {
	d.action, d.delay = Retried, min(max(delay, 0), maxDelay)
	return d
}

func (d decision) giveUp(reason envelope.Reason, p Policy) decision {
	if p.Native {
		d.final = true
		return d.retry(0)
	}
	d.action, d.reason = Dropped, reason
	if p.HasDeadLetter {
		d.action = DeadLettered
	}
	return d
}
