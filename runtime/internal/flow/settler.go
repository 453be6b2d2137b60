package flow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
)

// This file owns settling: what replaces a message is published, and what cannot be is tried again. Publishing never
// holds up a slot.

// send has what replaces a delivery published, or the function for exhausted messages called. The caller holds the
// lock.
func (f *Flow) send(d *delivery) {
	if mutant == acknowledgesFirst {
		f.hand(d.acker, handed{id: d.id, complete: true, at: time.Now()})
	}
	d.settleTries++
	f.later(func() { f.dispatch(d) })
}

// dispatch sends a delivery on its way to being replaced.
func (f *Flow) dispatch(d *delivery) {
	v, x := &d.verdict, d.decision
	switch {
	case d.exhausted:
		go func() { f.settled(d, f.giveToExhausted(d)) }()
	case x.action == DeadLettered:
		d.source.from.DeadLetter.Send("", func(publish Publish) error {
			now := time.Now()
			err := publish(deadLetterOf(d.msg, f.queueOf(d), *v, x, now, false))
			if errors.Is(err, pulsar.ErrMessageTooLarge) && x.reason != Gated {
				err = publish(deadLetterOf(d.msg, f.queueOf(d), *v, x, now, true))
			}
			return err
		}, func(err error) { f.settled(d, err) })
	default:
		f.config.Retry.Send(topic.WithoutPartition(d.msg.Topic()), func(publish Publish) error {
			return publish(retryOf(d.msg, *v, x))
		}, func(err error) { f.settled(d, err) })
	}
}

// queueOf returns the topic of the queue that a delivery is from. A service's retry topic is none.
func (f *Flow) queueOf(d *delivery) string {
	if s := f.config.Service; s != nil {
		return s.Queue
	}
	return d.msg.Topic()
}

// giveToExhausted calls the function for exhausted messages, for the send timeout at most.
func (f *Flow) giveToExhausted(d *delivery) error {
	v := &d.verdict
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(f.handling), f.config.SendTimeout, ErrTimeout)
	defer cancel()
	run := &runContext{parent: ctx, traceKey: f.config.TraceKey}
	if v.Envelope != nil {
		run.traceID = v.Envelope.TraceID
	}
	var err error
	if !bounded(f.config.SendTimeout, func() {
		err = f.isolate(func() error { return f.config.Exhausted(run, v, d.msg, d.decision.err) })
	}) {
		return fmt.Errorf("the function given to WithOnExhausted has not returned within %s", f.config.SendTimeout)
	}
	return err
}

// settled takes in whether a delivery was replaced.
func (f *Flow) settled(d *delivery, err error) {
	var wait time.Duration
	if err != nil {
		wait = f.waitAfter(int64(d.settleTries)) // which only changes when the delivery is sent again
	}
	f.mu.Lock()
	defer f.unlock()
	if d.state != settling {
		return // abandoned
	}
	if err == nil {
		if d.exhausted {
			d.decision.action = Recovered
		}
		d.settleErr = nil
		f.apply(d, replaced)
		return
	}
	d.settleErr = fmt.Errorf("publish what replaces it: %w", err)
	if d.exhausted {
		d.settleErr = fmt.Errorf("give it to the function of WithOnExhausted: %w", err)
	}
	f.apply(d, refused)
	f.afterRefusal(d, wait)
}

// afterRefusal decides how to go on with a delivery that could not be settled. The caller holds the lock.
func (f *Flow) afterRefusal(d *delivery, wait time.Duration) {
	tries, shares := d.settleTries, d.source.shares
	switch {
	case f.stopping && !shares:
		f.apply(d, release)
		f.handBackIfOwn(d)
		return
	case shares && (f.stopping || tries >= f.config.SettleTries):
		// Other consumers may have better luck. What was decided here is decided again (SET-3, SET-7, SET-8, RET-6, GATE-6).
		if isExhausted(&d.verdict, d.decision) {
			d.acker.partition.rememberExhausted(d.key, d.decision.err)
		}
		d.decision.action = Returned
		f.waitAndGiveBack(d, wait)
		return
	case d.decision.action == Retried && tries >= f.config.SettleTries && d.policy().HasDeadLetter:
		// On these types a message cannot be given back alone, and everything waits behind it.
		d.decision.action, d.decision.reason = DeadLettered, "failed"
		d.decision.err = keep(fmt.Errorf("%w; its retry could not be published: %w", d.decision.err, d.settleErr))
	}
	f.logRefusal(d, wait)
	f.after(d, wait, func() { f.apply(d, wake); f.send(d) })
}

// waitAndGiveBack gives a delivery back after a wait, at once when there is no time left.
func (f *Flow) waitAndGiveBack(d *delivery, wait time.Duration) {
	if f.stopping {
		wait = 0
	}
	if wait <= 0 {
		f.apply(d, giveBack)
		f.handBack(d)
		return
	}
	d.asked = true
	f.after(d, wait, func() { f.apply(d, giveBack); f.handBack(d) })
}

// keep has a delivery wait here, for its delay or for the subscription type's sake. The caller holds the lock.
func (f *Flow) keep(d *delivery) {
	x := &d.decision
	if f.stopping {
		f.apply(d, release)
		f.handBackIfOwn(d)
		return
	}
	switch {
	case x.action == Retried && !d.retriesByNack():
		f.logKept(d)
		f.after(d, x.delay, func() {
			d.asked, x.delay = false, 0
			f.apply(d, wake)
			f.send(d)
		})
	case d.source.shares:
		f.waitAndGiveBack(d, x.delay)
	default:
		// It cannot be given back alone, and there is nothing else to do with it: it stays until the consumer stops.
		f.logKept(d)
	}
}

// handBack negatively acknowledges a delivery that has left. The caller holds the lock.
func (f *Flow) handBack(d *delivery) {
	s, id := d.acker.source, d.id
	f.later(func() {
		_ = f.protect(func() error { s.giveBack(d.msg, id); return nil }) // of the user's interceptors
	})
}

// handBackIfOwn gives a released delivery back where the consumer is the caller's: it lives on, and Pulsar would not
// deliver the message again as long as it does. The caller holds the lock.
func (f *Flow) handBackIfOwn(d *delivery) {
	if s := d.acker.source; s.own && s.shares {
		f.handBack(d)
	}
}

// logKept says that a message waits here, and with it what is behind it.
func (f *Flow) logKept(d *delivery) {
	in, id, delay, err := d.acker.partition.topic, d.id, d.decision.delay, d.decision.err
	f.later(func() {
		f.config.Logger.Info("message waits in the consumer", "topic", in, "id", id.String(),
			"for", delay, "error", errText(err))
	})
}

// logRefusal says that a message could not be settled.
func (f *Flow) logRefusal(d *delivery, wait time.Duration) {
	in, id, tries, err := d.acker.partition.topic, d.id, d.settleTries, d.settleErr
	f.later(func() {
		f.config.Logger.Warn("message could not be settled, it is tried again", "topic", in,
			"id", id.String(), "tries", tries, "in", wait, "error", errText(err))
	})
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return text.Shorten(err.Error(), MaxLogError)
}
