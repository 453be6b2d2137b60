package flow

import (
	"context"
	"fmt"
	"time"
)

// This file owns reception: one goroutine per source waits for a credit, receives, and hands on what has come.

// receivePause is how long the intake waits after a failed receive.
const receivePause = time.Second

// admitMost is how many messages are handed on at a time.
const admitMost = 64

// A Limit bounds what a consumer has received and not settled.
type Limit struct {
	Messages int
	Bytes    int64
}

// receive takes messages in until receiving ends. No message and no error ends it, unless the consumer is
// closed (SET-10).
func (f *Flow) receive(s *source) {
	w := f.newWaiter()
	for f.mayReceive(w) {
		msg, err := s.consumer.Receive(f.receiving)
		switch {
		case err == nil:
			f.admit(msg, s, w)
		case f.receiving.Err() != nil:
		case isClosed(err):
			if !f.isGone(s) {
				f.fail(s.whyClosed(f.receiving, err))
			}
			return
		default:
			f.config.Logger.Warn("receive failed", "error", err)
			if hook := f.config.Hooks.ReceiveFailed; hook != nil {
				f.mu.Lock()
				f.notify(func() { hook(fmt.Errorf("receive: %w", err)) })
				f.unlock()
			}
			pause(f.receiving, receivePause)
		}
	}
}

// mayReceive waits for a credit. It reports false when receiving has ended.
func (f *Flow) mayReceive(w *waiter) bool {
	f.mu.Lock()
	defer f.unlock()
	f.awaitCredit(w)
	return !f.stopping
}

// isGone reports whether a source was closed on purpose.
func (f *Flow) isGone(s *source) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.gone
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// hasCredit reports whether there is room for one more message. The caller holds the lock.
func (f *Flow) hasCredit() bool {
	if f.paused {
		return f.holdBack("pause")
	}
	if f.drained != nil {
		return f.holdBack("drain")
	}
	if len(f.reports)+f.telling >= maxReports {
		return f.holdBack("observers")
	}
	limit := f.config.Limit
	if f.unsettled >= limit.Messages || f.bytes >= limit.Bytes {
		f.endAckBatches()
		return f.holdBack("limit")
	}
	if f.unsettled >= f.window {
		// The window keeps what a busy consumer has taken off the topic small, so that others get their share. It
		// grows when slots stand idle for want of messages.
		if f.idle == 0 || f.runnable.len() > 0 {
			return f.holdBack("busy")
		}
		f.window = min(2*f.window, limit.Messages)
	}
	if f.heldBack != "" {
		f.heldBack = ""
		f.aging.goOn(time.Now())
	}
	return true
}

// holdBack notes since when and why nothing is received.
func (f *Flow) holdBack(why string) bool {
	if f.heldBack != why {
		f.heldBack, f.heldSince = why, time.Now()
		f.aging.hold(f.heldSince)
	}
	return false
}

// admit hands a message on, and those that have come with it.
func (f *Flow) admit(msg message, s *source, w *waiter) {
	f.mu.Lock()
	defer f.unlock()
	f.awaitRoom(w) // another source may have used the credit
	now := time.Now()
	f.clock = now
	most := admitMost
	if len(f.waiting) > 0 {
		most = min(most, f.share())
	}
	f.register(msg, s, now)
	for range most - 1 {
		if f.stopping || !f.hasCredit() {
			return
		}
		select {
		case more := <-s.more:
			f.register(more.Message, s, now)
		default:
			return
		}
	}
}
