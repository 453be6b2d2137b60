package bq

import (
	"math/rand/v2"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Backoff says how long a retry waits, by the number of deliveries so far (1 after the first one failed). A negative
// wait counts as none. A panic counts as none and is logged.
type Backoff func(deliveries int64) time.Duration

// NoBackoff is a [Backoff] without waits.
func NoBackoff(int64) time.Duration { return 0 }

// ExponentialBackoff returns a Backoff that draws each wait at random from nothing up to a bound: first after the first
// delivery, doubling with each further one, longest at most (RET-8, with full jitter). The randomness keeps messages
// that failed together from being retried together.
func ExponentialBackoff(first, longest time.Duration) Backoff {
	return func(deliveries int64) time.Duration {
		bound := flow.Doubling(first, longest, max(deliveries, 1)-1)
		if bound <= 0 {
			return 0
		}
		return rand.N(bound)
	}
}
