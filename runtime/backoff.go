package bq

import (
	"math/rand/v2"
	"time"
)

// A Backoff says how long a retry waits, by the number of deliveries so far (1 after the first one failed). A negative
// wait counts as none. A panic counts as none and is logged.
type Backoff func(deliveries int64) time.Duration

// ExponentialBackoff returns a Backoff that draws each wait at random from nothing up to a bound: first after the first
// delivery, doubling with each further one, longest at most (RET-8, with full jitter). The randomness keeps messages
// that failed together from being retried together.
func ExponentialBackoff(first, longest time.Duration) Backoff {
	return func(deliveries int64) time.Duration {
		bound := doubling(first, longest, max(deliveries, 1)-1)
		if bound <= 0 {
			return 0
		}
		return rand.N(bound)
	}
}

// doubling returns first, doubled so many times, but longest at most. It cannot overflow.
func doubling(first, longest time.Duration, times int64) time.Duration {
	delay := min(first, longest)
	for ; times > 0 && 0 < delay && delay < longest; times-- {
		if delay > longest/2 {
			return longest
		}
		delay *= 2
	}
	return delay
}
