package flow

import (
	"context"
	"errors"
	"time"
)

// This file owns what user code may say of a delivery besides returning from its handler: in manual mode that it is
// done or has failed, and in every mode that it needs more time.

// ErrSettled says that a delivery is decided already, in another way.
var ErrSettled = errors.New("the message is settled already")

// ErrNotManual says that a delivery is settled by what its handler returns, or that a reader has it.
var ErrNotManual = errors.New("not settled by Ack or Fail: they are for consumers in manual mode and for streams")

// A Handle is a run of a delivery, for user code.
type Handle struct {
	f   *Flow
	d   *delivery
	run uint32
}

// HandleOf returns the handle of the run that ctx, which must be the flow's own, was made for.
func HandleOf(ctx context.Context) Handle {
	if c, ok := ctx.(*runContext); ok {
		return c.handle
	}
	return Handle{}
}

// What user code has said of a run.
const (
	saidNothing = iota
	saidDone
	saidFailed
)

// Settle decides the delivery: done if err is nil, otherwise as if its handler had returned err. The first call
// decides. A later one that says the same returns nil, another one ErrSettled.
func (h Handle) Settle(err error) error {
	if h.d == nil || !h.f.config.Manual {
		return ErrNotManual
	}
	says := h.run<<2 | saidDone
	if err != nil {
		says = h.run<<2 | saidFailed
	}
	for {
		said := h.d.said.Load()
		switch {
		case said == says:
			return nil
		case said>>2 >= h.run:
			return ErrSettled
		}
		if h.d.said.CompareAndSwap(said, says) {
			return h.f.settleManually(h.d, h.run, err)
		}
	}
}

// settleManually decides a delivery as user code says.
func (f *Flow) settleManually(d *delivery, run uint32, err error) error {
	f.mu.Lock()
	open := d.state == running
	f.mu.Unlock()
	if !open || !d.claim(run) {
		return ErrSettled // its time was up, or the consumer has released it
	}
	out := outcome{}
	if err != nil {
		if panicked := f.protect(func() error { out = f.judge(err); return nil }); panicked != nil {
			out = f.judge(panicked)
		}
	}
	r := f.decideOn(d, out)
	f.mu.Lock()
	defer f.unlock()
	if !f.settle(d, r) {
		return ErrSettled
	}
	return nil
}

// Extend has the timeout of the run end after that much time from now. It has no effect without a timeout.
func (h Handle) Extend(limit time.Duration) error {
	if h.d == nil {
		return nil
	}
	if h.d.undecided.Load() != h.run {
		return ErrSettled
	}
	if timer := h.d.clock.Load(); timer != nil {
		timer.Reset(limit)
	}
	return nil
}

// stopClock ends the timeout of the current run.
func (d *delivery) stopClock() {
	if timer := d.clock.Load(); timer != nil {
		timer.Stop()
	}
}

// staysOpen reports whether a delivery whose handler has returned is still to be settled by user code.
func (f *Flow) staysOpen(d *delivery, out outcome) bool {
	return f.config.Manual && f.isHandled(d) && out.err == nil
}

// isHandled reports whether there is user code for a delivery.
func (f *Flow) isHandled(d *delivery) bool {
	return f.handlerOf(&d.verdict) != nil
}

// isOpen reports whether user code has returned from its handler and nobody has settled the delivery, or is about to.
// The caller holds the lock.
func (d *delivery) isOpen() bool { return d.state == running && !d.hands && d.undecided.Load() != 0 }

// ErrUnsettled is what Run returns when user code has not settled everything in manual mode.
type ErrUnsettled struct{ Deliveries []Report }

func (e *ErrUnsettled) Error() string { return "messages were not settled" }
