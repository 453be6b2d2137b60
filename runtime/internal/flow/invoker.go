package flow

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// This file owns slots: goroutines that run user code.

// work is one slot. It takes one delivery after the other until there are no more to come.
func (f *Flow) work(slot int) {
	var d *delivery
	var b *batch
	ended := false
	defer func() {
		switch {
		case ended:
			return
		case b != nil:
			f.finishBatch(b, slot, errGoexit)
		default:
			f.finish(d, slot, outcome{err: keep(errGoexit)})
		}
		go f.work(slot) // user code has ended the goroutine: another one takes the slot
	}()
	f.mu.Lock()
	for {
		if d, b = f.await(); d == nil && b == nil {
			break
		}
		if b != nil {
			f.beginBatch(b, slot)
			f.unlock()
			ends := f.resolveBatch(b, f.runBatch(b))
			f.mu.Lock()
			f.endBatch(b, slot, ends)
			continue
		}
		f.begin(d, slot)
		run := d.runs
		f.unlock()
		f.classify(d)
		if f.place(d, slot) {
			continue // with the lock held
		}
		out := f.run(d, run)
		r, won := resolution{}, false
		if !f.staysOpen(d, out) {
			r, won = f.resolve(d, run, out)
		}
		f.mu.Lock()
		f.end(d, slot, r, won)
	}
	ended = true
	f.workers--
	f.checkIdle()
	f.unlock()
}

// await returns the next delivery to run. It waits for one, and returns nil when there are no more to come. The caller
// holds the lock.
func (f *Flow) await() (*delivery, *batch) {
	for {
		var d *delivery
		var b *batch
		if f.receiving.Err() == nil { // otherwise nothing is begun any more
			d, b = f.take()
		}
		if d != nil || b != nil || f.stopping {
			if f.idle > 0 {
				f.creditsFreed() // this may have been the last for now
				f.wakeWorker()
			}
			return d, b
		}
		if len(f.effects) > 0 {
			f.unlock() // which runs them
			f.mu.Lock()
			continue
		}
		f.idle++
		f.creditsFreed() // an idle slot is a reason to receive more
		f.ready.Wait()
		f.idle--
		f.waking = false
	}
}

// wakeWorker has a sleeping slot look for work, unless one is about to: that one wakes the next if there is work left.
// The caller holds the lock.
func (f *Flow) wakeWorker() {
	if f.idle > 0 && !f.waking && (f.runnable.len() > 0 || len(f.ripe) > 0) {
		f.waking = true
		f.ready.Signal()
	}
}

// begin hands a delivery to user code. The caller holds the lock.
func (f *Flow) begin(d *delivery, slot int) {
	f.slots[slot] = d
	f.apply(d, start)
	d.runs++
	d.undecided.Store(d.runs)
}

// end takes a delivery back from user code, and moves it on if the run decided it. The caller holds the lock.
func (f *Flow) end(d *delivery, slot int, r resolution, won bool) {
	f.slots[slot] = nil
	f.apply(d, returned)
	if won {
		f.settle(d, r)
	}
}

// classify finds out what a delivery is, and tells those who watch. It runs on the slot's goroutine, without the lock.
func (f *Flow) classify(d *delivery) {
	if d.verdict.Kind != 0 {
		return
	}
	v := &d.verdict
	*v = f.verdictOf(d)
	d.known.Store(true)
	if v.Envelope != nil && len(v.Envelope.Ignored) > 0 && v.Kind != IsSkipped {
		f.config.Hooks.Ignored(f.contextOf(d, 0), v.Envelope, v)
	}
	if v.Mismatch && f.config.Hooks.Mismatch != nil {
		f.hook("WithObserver", func(context.Context) { f.config.Hooks.Mismatch(f.contextOf(d, 0), v, d.msg) })
	}
}

// contextOf returns the context of a run. That of the first needs no memory of its own.
func (f *Flow) contextOf(d *delivery, run uint32) *runContext {
	ctx := &d.first
	if run != 1 {
		ctx = new(runContext)
	}
	ctx.parent, ctx.traceKey = f.handling, f.config.TraceKey
	ctx.handle = Handle{f, d, run}
	if e := d.verdict.Envelope; e != nil {
		ctx.traceID = e.TraceID
	}
	return ctx
}

// startClock begins the timeout of a run, if there is one.
func (f *Flow) startClock(d *delivery, run uint32, ctx *runContext) {
	timeout := f.config.Timeout(d.verdict.URN)
	if timeout <= 0 {
		return
	}
	began := time.Now()
	d.clock.Store(time.AfterFunc(timeout, func() { f.finishLate(d, run, ctx, time.Since(began)) }))
}

// handlerOf returns the user code that is called with a message, or nil.
func (f *Flow) handlerOf(v *Verdict) Handler {
	if v.Kind == IsUnhandled && f.config.Policy.HandlesUnknown {
		return f.config.Unknown
	}
	return v.Handler
}

// run calls user code with a delivery and returns what became of it. It runs on the slot's goroutine, without the lock.
func (f *Flow) run(d *delivery, run uint32) outcome {
	v := &d.verdict
	ctx := f.contextOf(d, run)
	defer ctx.end(nil)
	handler := f.handlerOf(v)
	switch {
	case handler == nil:
		return outcome{}
	case d.exhaustedBy != nil:
		return outcome{err: d.exhaustedBy, permanent: true}
	}
	var out outcome
	f.startClock(d, run, ctx)
	defer func() {
		if !f.staysOpen(d, out) {
			d.stopClock()
		}
	}()
	var began time.Time
	if !f.config.Unwatched {
		began = time.Now()
	}
	err := f.protect(func() error {
		if d.undecided.Load() != run {
			return nil // its time was up before it began
		}
		err := handler(ctx, v, d.msg)
		if err != nil {
			out = f.judge(err) // which calls the error's methods
		}
		return nil
	})
	if err != nil { // a panic, of the handler or of its error's methods
		out = f.judge(err)
	}
	if !f.config.Unwatched {
		out.took = time.Since(began)
	}
	return out
}

// judge returns the outcome of user code that returned err.
func (f *Flow) judge(err error) outcome {
	out := judge(f.handling.Err() != nil, f.receiving.Err(), err)
	out.permanent = out.permanent || f.config.Permanent(err)
	out.err = keep(err)
	return out
}

// protect calls fn and returns its panic as an error.
func (f *Flow) protect(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = f.config.Panicked(value, debug.Stack())
		}
	}()
	return fn()
}

// guard is protect for calls of the client, whose interceptors, authentication and logger are the user's.
func guard(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("the Pulsar client panicked: %v\n%s", value, debug.Stack())
		}
	}()
	return fn()
}

// isolate is protect in a goroutine of fn's own, so that fn cannot end the caller's.
func (f *Flow) isolate(fn func() error) error {
	done := make(chan error, 1)
	go func() {
		err := errGoexit
		defer func() { done <- err }()
		err = f.protect(fn)
	}()
	return <-done
}

// hook calls a function of the user's that only watches.
func (f *Flow) hook(option string, fn func(ctx context.Context)) {
	if err := f.isolate(func() error { fn(f.handling); return nil }); err != nil {
		f.logPanic(option, err)
	}
}

// logPanic logs that a function that only watches panicked.
func (f *Flow) logPanic(option string, err error) {
	f.config.Logger.Error("a function given to "+option+" panicked", "error", err,
		"stack", f.config.StackOf(err))
}
