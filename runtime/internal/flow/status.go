package flow

import (
	"context"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns what a flow says of itself, and its pause.

// A Status is what a flow is doing.
type Status struct {
	Paused    bool
	Draining  bool
	Stopping  bool
	Unsettled int   // received and not settled
	Bytes     int64 // of their payloads
	Running   int   // in user code
	Open      int   // to be settled by user code that has returned
	HeldBack  string
	HeldSince time.Time
	Oldest    pulsar.Message // that is not settled; nil for none
	Received  time.Time      // when it was
	Swallowed int64          // copies
	LastErr   error          // of settling
	Lanes     int

	Answer  // of all sources together
	Sources []SourceStatus
}

// A SourceStatus is what a flow is doing with messages of one source.
type SourceStatus struct {
	Topic     string // or a prefix with an asterisk; "" of a consumer that the caller made
	Unsettled int
	Bytes     int64
	Answer
}

// Status says what the flow is doing now.
func (f *Flow) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := Status{
		Paused: f.paused, Draining: f.drained != nil, Stopping: f.stopping,
		Unsettled: f.unsettled, Bytes: f.bytes, Running: f.hands,
		HeldBack: f.heldBack, HeldSince: f.heldSince, Swallowed: f.swallowed, LastErr: f.lastErr, Lanes: len(f.lanes),
	}
	answers, all := f.answers(time.Now())
	s.Answer = all
	for i, from := range f.sources {
		s.Sources = append(s.Sources, SourceStatus{from.name(), from.unsettled, from.bytes, answers[i]})
	}
	if f.config.Manual {
		for d := range f.live.all {
			if d.isOpen() {
				s.Open++
			}
		}
	}
	if d := f.live.oldest; d != nil {
		s.Oldest, s.Received = d.msg, d.received
	}
	return s
}

// Pause has no more messages received or begun until Resume. What user code has goes on.
func (f *Flow) Pause() {
	f.setPaused(true)
}

// Resume ends a pause.
func (f *Flow) Resume() {
	f.setPaused(false)
}

// Drain has no more messages received, and waits until those that were are settled or ctx ends. Then the flow is
// paused. It returns how many messages are left.
func (f *Flow) Drain(ctx context.Context) (left int) {
	f.mu.Lock()
	done := f.drained
	if done == nil {
		done = make(chan struct{})
		f.drained = done
		f.holdStill(false) // what was received is to be handled
		f.checkIdle()
	}
	f.unlock()
	select {
	case <-done:
	case <-f.receiving.Done():
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.unlock()
	if f.drained == done { // not all is settled
		f.drained = nil
		f.holdStill(true)
	}
	return f.unsettled
}

func (f *Flow) setPaused(paused bool) {
	f.mu.Lock()
	defer f.unlock()
	f.holdStill(paused)
}

// holdStill begins or ends a pause. The caller holds the lock.
func (f *Flow) holdStill(paused bool) {
	if f.paused == paused {
		return
	}
	f.paused = paused
	if paused {
		f.holdBack("pause") // now, not when a source next asks
	}
	if hook := f.config.Hooks.Paused; hook != nil {
		f.notify(func() { hook(paused) })
	}
	f.ready.Broadcast()
	f.callNext()
}

// sayCopies logs that copies were swallowed, once a minute. The caller holds the lock.
func (f *Flow) sayCopies() {
	now := time.Now()
	if now.Sub(f.saidCopies) < time.Minute {
		return
	}
	f.saidCopies = now
	n := f.swallowed
	f.later(func() {
		f.config.Logger.Info("Pulsar delivered messages again that are in hand or done: they are not handled again",
			"copies", n)
	})
}
