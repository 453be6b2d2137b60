package flow

import (
	"context"
	"fmt"
	"time"
)

// This file owns the decision of a delivery. The first resolution of a run wins, by compare-and-swap; the others learn
// that they are late.

// A resolution is what follows from the outcome of a run.
type resolution struct {
	event     event
	decision  decision
	exhausted bool // what settles it is the function for exhausted messages
	asked     bool // kept for a delay that was asked for
	counts    bool // a try in place that counts an attempt
	stop      bool // the consumer is to end
	took      time.Duration
}

// resolve takes the outcome of a run. It returns what follows from it, and whether this resolution was the first. User
// code is asked along the way, so the lock is not held.
func (f *Flow) resolve(d *delivery, run uint32, out outcome) (r resolution, first bool) {
	if !d.claim(run) {
		return r, false
	}
	r = f.decideOn(d, out)
	r.took = out.took
	return r, true
}

// claim reports whether this is the first resolution of a run.
func (d *delivery) claim(run uint32) bool { return d.undecided.CompareAndSwap(run, 0) }

// decideOn returns what follows from the outcome of a run that was claimed.
func (f *Flow) decideOn(d *delivery, out outcome) resolution {
	v := &d.verdict
	if f.triesInPlace(d, out) {
		again := decision{counted: v.Attempts + 1, delay: f.inPlaceDelay(d), err: out.err}
		return resolution{event: tryInPlace, decision: again}
	}
	if hook := f.config.Hooks.Failed; hook != nil {
		if err := f.failedWith(v, out); err != nil {
			ctx := &runContext{parent: f.handling, traceKey: f.config.TraceKey}
			if v.Envelope != nil {
				ctx.traceID = v.Envelope.TraceID
			}
			f.hook("WithObserver", func(context.Context) { hook(ctx, err, v, d.msg) })
		}
	}
	r := f.follow(d, decide(*v, out, d.policy()))
	r.stop = out.stop && !out.interrupted
	return r
}

// failedWith returns the error that observers are told of, or nil (ERR-1, ERR-2). Of poison, the function gets the
// envelope as far as it could be read (ERR-4).
func (f *Flow) failedWith(v *Verdict, out outcome) error {
	switch {
	case v.Kind == IsSkipped:
		return nil
	case out.failed():
		return out.err
	case out.err != nil: // interrupted, snoozed or stopped
		return nil
	case v.Kind == IsUnhandled && f.config.Policy.HandlesUnknown:
		return nil
	}
	return v.Err
}

// follow returns what a decision leads to.
func (f *Flow) follow(d *delivery, x decision) resolution {
	v := &d.verdict
	r := resolution{decision: x, exhausted: f.config.Exhausted != nil && isExhausted(v, x)}
	shares := d.source.shares
	keepsDelays := shares || f.config.Service != nil // whose retry topic is shared (FAN-10)
	switch {
	case x.action == Released:
		r.event = release
	case x.action == Returned, x.action == Retried && d.retriesByNack():
		// Given back, after a wait that is kept here: the client's own is longer than what a handler may ask for, and
		// what waits counts against the limit.
		if x.action == Returned {
			r.decision.delay = f.waitAfter(x.counted)
		}
		r.event = giveBack
		if r.decision.delay > 0 || !shares {
			r.event, r.asked = keepHere, true
		}
	case x.action == Snoozed && (!keepsDelays || d.policy().ByNack || v.Kind == IsRecord):
		r.event = tryInPlace // the broker keeps no delays, or would count, or would lose the schema
	case x.action == Retried && v.Kind == IsRecord: // which cannot be given back alone
		r.event, r.counts = tryInPlace, true
	case r.exhausted, x.action == DeadLettered, x.action == Snoozed:
		r.event = replace
	case x.action == Retried:
		r.event = replace
		if x.delay > 0 && !keepsDelays { // Pulsar would ignore the delay
			r.event, r.asked = keepHere, true
		}
	default:
		r.event = acknowledge
	}
	return r
}

// isExhausted reports whether a handler has failed for the last time.
func isExhausted(v *Verdict, x decision) bool {
	return v.isHandled() && (x.action == DeadLettered || x.action == Dropped)
}

// triesInPlace reports whether a failed run is followed by another one here.
func (f *Flow) triesInPlace(d *delivery, out outcome) bool {
	again := out.failed() && !out.permanent && !out.discarded
	return again && d.verdict.isHandled() && d.placeTries < f.config.InPlace.Retries
}

// inPlaceDelay returns the wait before the next try in place, and counts it.
func (f *Flow) inPlaceDelay(d *delivery) (delay time.Duration) {
	d.placeTries++
	if backoff := f.config.InPlace.Backoff; backoff != nil {
		f.hook("WithRetryInPlace", func(context.Context) { delay = backoff(int64(d.placeTries)) })
	}
	return max(delay, 0)
}

// finish resolves a run whose goroutine has ended.
func (f *Flow) finish(d *delivery, slot int, out outcome) {
	r, won := f.resolve(d, d.runs, out)
	f.mu.Lock()
	defer f.unlock()
	f.end(d, slot, r, won)
}

// finishLate resolves a run whose time is up, while user code still has the delivery. Its context ends after that, so
// that what it returns then is late.
func (f *Flow) finishLate(d *delivery, run uint32, ctx *runContext, took time.Duration) {
	if !d.claim(run) {
		return
	}
	ctx.end(ErrTimeout)
	err := fmt.Errorf("%w after %s", ErrTimeout, took.Round(time.Millisecond))
	r := f.decideOn(d, outcome{err: keep(err)})
	r.took = took
	f.mu.Lock()
	defer f.unlock()
	f.settle(d, r)
}

// settle moves a delivery on that is decided. A delivery that was released meanwhile stays so: it reports false then.
// The caller holds the lock.
func (f *Flow) settle(d *delivery, r resolution) bool {
	if d.state != running {
		return false
	}
	d.stopClock()
	d.decision, d.exhausted, d.asked = r.decision, r.exhausted, r.asked
	d.took += r.took
	d.delay = r.decision.delay
	f.apply(d, r.event)
	switch r.event {
	case tryInPlace:
		if d.decision.action == Snoozed || r.counts {
			f.logKept(d)
		}
		if r.counts {
			d.verdict.Attempts, d.placeTries = d.decision.counted, 0
		}
		f.after(d, d.decision.delay, func() { f.wakeInPlace(d) })
		if f.stopping {
			f.apply(d, stopped)
		}
	case keepHere:
		f.keep(d)
	case replace:
		f.send(d)
	case giveBack:
		if d.decision.final {
			d.acker.partition.rememberExhausted(d.key, d.decision.err)
		}
		f.handBack(d)
	case release:
		f.handBackIfOwn(d)
	}
	if r.stop {
		err := fmt.Errorf("a handler stopped the consumer: %w", d.decision.err)
		f.later(func() { f.fail(err) })
	}
	return true
}

// wakeInPlace ends the wait of a delivery for its next try in place. The caller holds the lock.
func (f *Flow) wakeInPlace(d *delivery) {
	if d.hands {
		d.woken = true // the run before was late, and still goes on
		return
	}
	d.woken = false
	f.apply(d, wake)
	f.runnable.push(d)
	f.wakeWorker()
}
