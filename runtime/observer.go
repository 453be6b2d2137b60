package bq

import (
	"context"
	"log/slog"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// An Observer watches a consumer, for metrics, logs and tests. Each function is optional. What the functions get are
// copies: nothing that they do changes what happens to a message, and their panics are only logged (ERR-3, RTE-8).
//
// Settled, Copied, Paused and ReceiveFailed are called one after the other on a goroutine of their own. If they fall
// 10,000 calls behind, the consumer receives nothing more until they catch up. Failed and Mismatch are called before
// the message is settled, on the goroutine that handles it.
type Observer struct {
	// Settled is called after each delivery with what was done with it.
	Settled func(Settlement)

	// Failed is called once for each failed delivery, before it is settled (ERR-1, ERR-5): if a handler failed, no
	// handler knows the URN, the body is poison, the version is gated, or the message cannot be decrypted. It is not
	// called for a routing mismatch, nor for messages that the handler of WithUnknownURN took (ERR-2), nor if shutdown
	// interrupted the handler.
	Failed func(ctx context.Context, f Failure)

	// Mismatch is called before the handler, whether or not there is one, if a message's property and its body name
	// different URNs (RTE-2, RTE-8). The property decides.
	Mismatch func(ctx context.Context, m Mismatch)

	// Copied is called if Pulsar delivers a message again that this process is working on or has settled. It is not
	// handled again.
	Copied func(Copy)

	// Paused is called by Pause and Resume.
	Paused func(paused bool)

	// ReceiveFailed is called if the Pulsar client returns an error instead of a message. The consumer tries again
	// after a second.
	ReceiveFailed func(error)
}

// A Failure is a failed delivery.
type Failure struct {
	Delivery Delivery
	Err      error // the handler's error, or why no handler saw the message
	// Envelope has reconciled attempts (RTE-10). It is nil for a gated message (GATE-8) and for poison that is not a JSON
	// object. Of other poison it contains what could be read (ERR-4).
	Envelope *envelope.Envelope
}

// A Mismatch is a message whose property and body name different URNs, both without blanks around them (RTE-5).
type Mismatch struct {
	Delivery             Delivery
	PropertyURN, BodyURN string
}

// A Copy is a message that Pulsar delivered again although this process knows it.
type Copy struct {
	Topic     string
	MessageID pulsar.MessageID
	Settled   bool // the message is settled; otherwise this process is working on it
}

// WithObserver adds an observer. Several observers are called in the order of the options.
func WithObserver(o Observer) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(o.empty(), "WithObserver: the observer has no functions")
		c.observers = append(c.observers, o)
	})
}

func (o *Observer) empty() bool {
	return o.Settled == nil && o.Failed == nil && o.Mismatch == nil && o.Copied == nil && o.Paused == nil &&
		o.ReceiveFailed == nil
}

// observers are the observers of a consumer.
type observers []Observer

// any reports whether an observer has the function that has returns the presence of.
func (all observers) any(has func(*Observer) bool) bool {
	for i := range all {
		if has(&all[i]) {
			return true
		}
	}
	return false
}

// each calls fn, which calls one of the observer's functions, for each observer.
func (all observers) each(logger *slog.Logger, fn func(*Observer)) {
	for i := range all {
		if err := protect(func() error { fn(&all[i]); return nil }); err != nil {
			logger.Error("an observer panicked", slog.Any("error", err), slog.String("stack", stackOf(err)))
		}
	}
}

// hooks returns the functions that a flow calls.
func (c *Consumer) hooks() flow.Hooks {
	all, logger := c.config.observers, c.config.logger
	h := flow.Hooks{Ignored: c.warnOfIgnored, Settled: c.report}
	if all.any(func(o *Observer) bool { return o.Failed != nil }) {
		h.Failed = func(ctx context.Context, err error, v *flow.Verdict, msg pulsar.Message) {
			all.each(logger, func(o *Observer) {
				if o.Failed != nil {
					o.Failed(ctx, Failure{Delivery: newDelivery(v, msg), Err: err, Envelope: v.Envelope.Clone()})
				}
			})
		}
	}
	if all.any(func(o *Observer) bool { return o.Mismatch != nil }) {
		h.Mismatch = func(ctx context.Context, v *flow.Verdict, msg pulsar.Message) {
			all.each(logger, func(o *Observer) {
				if o.Mismatch != nil {
					o.Mismatch(ctx, Mismatch{newDelivery(v, msg), v.URN, v.Envelope.URN()})
				}
			})
		}
	}
	if all.any(func(o *Observer) bool { return o.Copied != nil }) {
		h.Copied = func(topic string, id pulsar.MessageID, settled bool) {
			all.each(logger, func(o *Observer) {
				if o.Copied != nil {
					o.Copied(Copy{topic, id, settled})
				}
			})
		}
	}
	if all.any(func(o *Observer) bool { return o.Paused != nil }) {
		h.Paused = func(paused bool) {
			all.each(logger, func(o *Observer) {
				if o.Paused != nil {
					o.Paused(paused)
				}
			})
		}
	}
	if all.any(func(o *Observer) bool { return o.ReceiveFailed != nil }) {
		h.ReceiveFailed = func(err error) {
			all.each(logger, func(o *Observer) {
				if o.ReceiveFailed != nil {
					o.ReceiveFailed(err)
				}
			})
		}
	}
	return h
}

// watched reports whether an observer wants to know of every delivery.
func (c *Consumer) watched() bool {
	return c.config.observers.any(func(o *Observer) bool { return o.Settled != nil })
}

// report logs what was done with a delivery and tells observers of it.
func (c *Consumer) report(r flow.Report) {
	s := Settlement{
		Action: Action(r.Action), Reason: r.Reason, Err: r.Err, SettleErr: r.SettleErr,
		Received: r.Received, Runs: r.Runs, Duration: r.Took, Delay: r.Delay,
	}
	level := s.level(r.Untouched)
	if s.Action == Skipped && s.Reason == envelope.UnknownURN && c.config.service.warned.isNew(r.Verdict.URN) {
		level = slog.LevelWarn // once for each URN
	}
	logs := c.config.logger.Enabled(context.Background(), level)
	watched := c.watched()
	if !logs && !watched {
		return
	}
	s.Delivery = newDelivery(&r.Verdict, r.Message)
	if logs {
		s.log(context.Background(), c.config.logger, level)
	}
	c.config.observers.each(c.config.logger, func(o *Observer) {
		if o.Settled != nil {
			o.Settled(s)
		}
	})
}
