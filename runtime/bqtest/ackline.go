package bqtest

import (
	"errors"
	"time"
)

// operationTimeout is how long the client waits for the answer to a request by default.
const operationTimeout = 30 * time.Second

var errRequestTimeout = errors.New("request timed out")

// ackLine is the acknowledgements that a consumer has for one topic or partition. The client sends one request at a
// time and sends none while it connects again.
type ackLine struct {
	waiting  []*ackRequest // the first may be under way
	advances bool          // advance is running
}

// ackRequest is one request to acknowledge entries.
type ackRequest struct {
	entries []int64
	upTo    bool // acknowledge all before the one entry as well
	answer  bool // the client waits for the broker's answer
	result  chan error

	begun bool
	known bool
	hold  *hold
	timer *timer
}

// sendAck puts a request in line, and sends it if it is the first.
func (l *link) sendAck(r *ackRequest) {
	r.result = make(chan error, 1)
	l.acks.waiting = append(l.acks.waiting, r)
	l.advanceAcks()
}

// advanceAcks sends what is in line until the answer to one is not there yet.
func (l *link) advanceAcks() {
	if l.acks.advances {
		return
	}
	l.acks.advances = true
	defer func() { l.acks.advances = false }()
	for l.connected && len(l.acks.waiting) > 0 {
		r := l.acks.waiting[0]
		if !r.begun {
			l.begin(r)
		}
		if r.answer && !r.known {
			return
		}
		l.acks.waiting = l.acks.waiting[1:]
	}
}

// begin sends a request, under the faults in force.
func (l *link) begin(r *ackRequest) {
	b := l.c.b
	r.begun = true
	call := Call{Topic: l.topic.name.Full, Subscription: l.c.opts.SubscriptionName}
	r.hold = b.inject(onAck, call, func() error { l.acknowledge(r); return nil }, func(err error) {
		l.answerAck(r, err)
	})
	if r.answer && !r.known {
		r.timer = b.schedule(b.timers.current().Add(operationTimeout), func() {
			r.hold.cancel()
			l.answerAck(r, errRequestTimeout)
			b.notify()
		})
	}
}

func (l *link) answerAck(r *ackRequest, err error) {
	if r.known {
		return
	}
	r.known = true
	l.c.b.cancel(r.timer)
	r.result <- err
	l.advanceAcks() // does nothing within itself
}

// failAck fails the request under way: the connection it was sent on is gone.
func (l *link) failAck() {
	if len(l.acks.waiting) == 0 {
		return
	}
	if r := l.acks.waiting[0]; r.begun {
		r.hold.cancel()
		l.acks.waiting = l.acks.waiting[1:]
		l.answerAck(r, errConnectionClosed)
	}
}

// acknowledge is the broker's part.
func (l *link) acknowledge(r *ackRequest) {
	for _, id := range r.entries {
		if r.upTo {
			l.sub.ackUpTo(id)
		} else {
			l.sub.ack(id)
		}
	}
	l.sub.acknowledged()
}
