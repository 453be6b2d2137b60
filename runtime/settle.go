package bq

import (
	"time"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// An Action is what was done with a delivery.
type Action string

// The actions. Retried, DeadLettered and Dropped end with an acknowledgement of the delivery.
const (
	Acknowledged Action = "acknowledged"  // handled (SET-1)
	Retried      Action = "retried"       // published again with one more attempt (RET-1, RET-2)
	DeadLettered Action = "dead-lettered" // published to the dead-letter topic
	Dropped      Action = "dropped"       // given up where there is no dead-letter topic
	Returned     Action = "returned"      // negatively acknowledged, because what replaces it could not be published
	Released     Action = "released"      // left unsettled by shutdown: Pulsar delivers it again
)

// Gated is the reason of a dead letter or a drop whose envelope version is not supported. It is not on the wire: such a
// message is moved as it is (GATE-5).
const Gated envelope.Reason = "gated"

// A policy is what settle needs to know of the consumer.
type policy struct {
	maxAttempts   int64
	hasDeadLetter bool
}

// A settlement is what is to be done with a delivery.
type settlement struct {
	action  Action
	reason  envelope.Reason // DeadLettered, Dropped
	counted int64           // deliveries, this one included (MAX-2)
	delay   time.Duration   // Retried
	err     error           // what was wrong
}

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
		return s.retry(0)
	case isUnhandled: // SET-5, SET-6
		if !retriesLeft {
			return s.giveUp(envelope.UnknownURN, p)
		}
		return s.retry(0)
	}
	s.err = o.err
	switch {
	case o.interrupted:
		s.action = Released
		return s
	case o.err == nil: // SET-1
		s.action = Acknowledged
		return s
	case o.permanent || !retriesLeft: // SET-3
		return s.giveUp(envelope.Failed, p)
	default: // SET-2
		return s.retry(o.delay)
	}
}

func (s settlement) retry(delay time.Duration) settlement {
	s.action, s.delay = Retried, delay
	return s
}

func (s settlement) giveUp(reason envelope.Reason, p policy) settlement {
	s.action, s.reason = Dropped, reason
	if p.hasDeadLetter {
		s.action = DeadLettered
	}
	return s
}
