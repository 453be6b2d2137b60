package flow

import (
	"context"
	"time"
)

// This file owns the waits before something is tried again.

// A Backoff returns the wait after so many tries.
type Backoff = func(tries int64) time.Duration

// The waits before what could not be settled is tried again, where the backoff has none: nobody wants to hammer a
// broker that refuses.
const (
	settleShortest = 100 * time.Millisecond
	settleLongest  = 10 * time.Second
)

// guarded returns a backoff that does not panic.
func (f *Flow) guarded(b Backoff) Backoff {
	if b == nil {
		return nil
	}
	return func(tries int64) (wait time.Duration) {
		f.hook("WithRetryBackoff", func(context.Context) { wait = b(tries) })
		return wait
	}
}

// waitAfter returns the wait before what could not be settled so many times is tried again. It calls user code.
func (f *Flow) waitAfter(tries int64) time.Duration {
	if b := f.config.Backoff; b != nil {
		if wait := b(tries); wait > 0 {
			return min(wait, maxDelay)
		}
	}
	return Doubling(settleShortest, settleLongest, tries-1)
}

// Doubling returns first, doubled so many times, but longest at most. It cannot overflow.
func Doubling(first, longest time.Duration, times int64) time.Duration {
	delay := min(first, longest)
	for ; times > 0 && 0 < delay && delay < longest; times-- {
		if delay > longest/2 {
			return longest
		}
		delay *= 2
	}
	return delay
}
