package bq

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// An AckMode says what settles a message.
type AckMode int

const (
	// AckEach settles each message, or each batch, by what its handler returns. It is the default.
	AckEach AckMode = iota
	// AckManual leaves it to the service: see WithAckMode.
	AckManual
	// AckBatch acknowledges together what was received together.
	AckBatch
)

// WithAckMode sets what settles a message. The default is AckEach.
//
// With AckManual, a handler that returns nil has not settled its message: somebody has to call [Delivery.Ack] or
// [Delivery.Fail] later, from any goroutine. An error that the handler returns settles the message at once, as Fail
// does. Until a message is settled, it counts against [WithMaxUnsettled] and later messages of its key wait, all with
// [WithConcurrency](1); [Status.Unacknowledged] counts those that wait for Ack or Fail, and [Status.Oldest] names the
// oldest. The time of [WithHandlerTimeout] runs until then, so forgotten messages come back as failed attempts; without
// a timeout they stay, and reception stops at the limit. What is not settled when the grace period is over is delivered
// again, and Run returns an [*UnsettledError] that names it.
//
// With AckBatch, what handlers return decides as with AckEach, but a partition's acknowledgements are sent when no
// message of it is left that was received and not handled, or when 100 have gathered: fewer requests to the broker, and
// more duplicates after a crash. Retries and dead letters do not wait. AckEach cannot be asked for together with
// [HandleBatch], whose messages are acknowledged together anyway.
func WithAckMode(m AckMode) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(m < AckEach || m > AckBatch, "WithAckMode has an unknown mode")
		c.ackMode, c.ackModeGiven = m, true
	})
}

// WithRouteTimeout is [WithHandlerTimeout] for the messages of one URN, and wins over it. 0 means no limit.
func WithRouteTimeout(urn string, d time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(d < 0, "WithRouteTimeout has a negative timeout")
		if c.routeTimeouts == nil {
			c.routeTimeouts = make(map[string]time.Duration)
		}
		c.routeTimeouts[urn] = d
	})
}

// ErrSettled is what Ack and Fail return when the message is settled in another way: by an earlier call of the other
// one, by its timeout, or by the end of the consumer.
var ErrSettled = flow.ErrSettled

// ErrNotManual is what Ack and Fail return without AckManual, and for messages of readers, which settle nothing.
var ErrNotManual = flow.ErrNotManual

// Ack settles the message as handled. It is for [AckManual], from any goroutine; the acknowledgement is sent after Ack
// has returned. The first call of Ack or Fail decides: after another Ack, Ack returns nil, after anything else
// [ErrSettled].
func (d *Delivery) Ack() error { return d.handle.Settle(nil) }

// Fail settles the message as if its handler had returned err, which may be [Permanent] or [RetryAfter]. It is for
// [AckManual], from any goroutine. The first call of Ack or Fail decides: after another Fail, Fail returns nil, after
// anything else [ErrSettled].
func (d *Delivery) Fail(err error) error {
	if err == nil {
		err = errors.New("the service says that the message has failed")
	}
	return d.handle.Settle(err)
}

// Extend sets the end of the handler's time ([WithHandlerTimeout]) to limit from now. Without a timeout it has no
// effect. If the message is settled already, for example because its time was up, Extend returns [ErrSettled].
func (d *Delivery) Extend(limit time.Duration) error { return d.handle.Extend(limit) }

// An UnsettledError says which messages were not settled with Ack or Fail when the consumer was stopped. Pulsar
// delivers them again.
type UnsettledError struct{ Deliveries []Delivery }

func (e *UnsettledError) Error() string {
	return fmt.Sprintf("%d messages were not settled:%s", len(e.Deliveries), named(e.Deliveries))
}

// named lists some deliveries in an error.
func named(all []Delivery) string {
	var b strings.Builder
	for i, d := range all {
		if i == 10 {
			fmt.Fprintf(&b, " and %d more", len(all)-i)
			break
		}
		fmt.Fprintf(&b, " %s (%s)", text.Shorten(d.URN, maxLogValue), text.Shorten(d.ID, maxLogValue))
	}
	return b.String()
}
