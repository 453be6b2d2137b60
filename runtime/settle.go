package bq

import (
	"time"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// An Action is what was done with a delivery.
type Action string

// The actions. DeadLettered, Dropped and, by publishing again, Retried end with an acknowledgement of the delivery.
const (
	Acknowledged Action = "acknowledged"  // handled, or taken by the hook for unknown URNs (SET-1, SET-4)
	Retried      Action = "retried"       // published again with one more attempt, or negatively acknowledged (RET-1, RET-2, RET-7)
	DeadLettered Action = "dead-lettered" // published to the dead-letter topic
	Dropped      Action = "dropped"       // given up where there is no dead-letter topic
	Returned     Action = "returned"      // what replaces it could not be published: it is delivered, or settled, again
	Released     Action = "released"      // left unsettled by shutdown: Pulsar delivers it again
)

// Gated is the reason of a dead letter or a drop whose envelope version is not supported. It is not on the wire: such a
// message is moved as it is (GATE-5).
const Gated envelope.Reason = "gated"

// A policy is what settle needs to know of the consumer.
type policy struct {
	maxAttempts   int64
	hasDeadLetter bool
	hooksUnknown  bool                      // a hook takes what nobody handles
	backoff       func(int64) time.Duration // the wait before a retry, by deliveries so far; nil for none
}

// A settlement is what is to be done with a delivery.
type settlement struct {
	action  Action
	reason  envelope.Reason // DeadLettered, Dropped
	counted int64           // deliveries, this one included (MAX-2)
	delay   time.Duration   // Retried
	err     error           // what was wrong
}

// maxDelay bounds the wait before a retry, which Pulsar takes as an absolute time.
const maxDelay = 10 * 365 * 24 * time.Hour

// settle decides what is done with a delivery: the table of section 8 of the contract. The outcome counts only for a
// delivery that had a handler.
func settle(v verdict, o outcome, p policy) settlement {
	s := settlement{counted: v.attempts + 1, err: v.err}
	retriesLeft := s.counted < p.maxAttempts // MAX-2
	switch v.kind {
	case isGated: // outside max attempts, never retried (GATE-4, SET-7)
		return s.giveUp(Gated, p)
	case isPoison: // SET-8: at once, or bounded when there is nowhere to put it
		if p.hasDeadLetter || !retriesLeft {
			return s.giveUp(envelope.Poison, p)
		}
		return s.retry(p.wait(s.counted))
	case isUnhandled:
		switch {
		case p.hooksUnknown: // SET-4
			return s.done(Acknowledged)
		case !retriesLeft: // SET-6
			return s.giveUp(envelope.UnknownURN, p)
		}
		return s.retry(p.wait(s.counted)) // SET-5
	}
	s.err = o.err
	switch {
	case o.interrupted:
		return s.done(Released)
	case o.err == nil: // SET-1
		return s.done(Acknowledged)
	case o.permanent || !retriesLeft: // SET-3
		return s.giveUp(envelope.Failed, p)
	case o.delayed: // SET-2; what the handler asks for wins over the backoff
		return s.retry(o.delay)
	default:
		return s.retry(p.wait(s.counted))
	}
}

// wait returns how long the retry after so many deliveries waits.
func (p policy) wait(counted int64) time.Duration {
	if p.backoff == nil {
		return 0
	}
	return p.backoff(counted)
}

func (s settlement) done(a Action) settlement {
	s.action = a
	return s
}

func (s settlement) retry(delay time.Duration) settlement {
	s.action, s.delay = Retried, min(max(delay, 0), maxDelay)
	return s
}

func (s settlement) giveUp(reason envelope.Reason, p policy) settlement {
	s.action, s.reason = Dropped, reason
	if p.hasDeadLetter {
		s.action = DeadLettered
	}
	return s
}
