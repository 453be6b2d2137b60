package bq

import (
	"math/rand/v2"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Backoff returns how long something waits before it is tried again, by the number of tries so far (1 after the first
// one failed). A negative wait counts as none. A panic counts as none and is logged.
type Backoff func(tries int64) time.Duration

// NoBackoff is a [Backoff] without waits.
func NoBackoff(int64) time.Duration { return 0 }

// ExponentialBackoff returns a Backoff that draws each wait at random (RET-8): from first to twice as long after the
// first try, doubling with each further one, but longest at most. When longest is reached, waits are from half of it to
// all of it. The randomness keeps messages that failed together from being retried together.
func ExponentialBackoff(first, longest time.Duration) Backoff {
	return func(tries int64) time.Duration {
		tries = max(tries, 1)
		from, to := flow.Doubling(first, longest, tries-1), flow.Doubling(first, longest, tries)
		if from == to { // longest is reached
			from = to / 2
		}
		if from >= to {
			return max(to, 0)
		}
		return max(from+rand.N(to-from), 0)
	}
}

// defaultBackoff is the backoff of consumers.
var defaultBackoff = ExponentialBackoff(time.Second, time.Minute)

// WithRetryBackoff sets how long a message waits before it is delivered again, by the number of its deliveries so far.
// The default is ExponentialBackoff(1s, 1min) on Shared and Key_Shared, where Pulsar or the consumer holds the message
// and others go on. On Exclusive and Failover retries do not wait by default, because later messages of the same key
// would wait, too; those of a service do, on its retry topic ([WithService]). [NoBackoff] turns waits off; the contract
// has none (RET-8). [RetryAfter] wins over the backoff.
//
// A retry or dead letter that cannot be published, a failed acknowledgement and a message that cannot be decrypted wait
// as long, by the number of tries, on all subscription types. Where b has no wait, these wait 100 ms, doubling up to
// 10 s.
func WithRetryBackoff(b Backoff) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(b == nil, "WithRetryBackoff: the backoff is nil; NoBackoff is one without waits")
		c.backoff = b
	})
}

// retryBackoff returns the waits before retries, nil for none.
func (c *consumerConfig) retryBackoff() flow.Backoff {
	if c.backoff == nil && !c.delays() && c.service.name == "" {
		return nil
	}
	return c.settleBackoff()
}

// settleBackoff returns the waits before what could not be settled is tried again.
func (c *consumerConfig) settleBackoff() flow.Backoff {
	if c.backoff == nil {
		return defaultBackoff
	}
	return c.backoff
}
