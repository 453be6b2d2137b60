package flow

import (
	"time"
)

// This file owns the waits before what could not be settled is tried again.

// A Backoff is a wait that doubles, from Shortest to Longest.
type Backoff struct{ Shortest, Longest time.Duration }

// Next returns the wait after so many tries before this one. It has the signature of pulsar.NackBackoffPolicy.
func (b Backoff) Next(tries uint32) time.Duration {
	return Doubling(b.Shortest, b.Longest, int64(tries))
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
