package bq

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// flowConfig is what a consumer is told of the way from reception to acknowledgement.
type flowConfig struct {
	unordered         bool
	limit             Limit
	queueSize         int
	handlerTimeout    time.Duration
	inPlace           int
	inPlaceBackoff    Backoff
	onExhausted       func(ctx context.Context, d *Delivery, data []byte, err error) error
	settleTries       int
	gracePeriod       time.Duration
	shutdownTimeout   time.Duration
	dropUndecryptable bool
	given             struct{ grace, shutdown bool }
	trace             func(state, event, becomes string) // for tests
}

// The defaults of these options.
const (
	defaultMaxUnsettled    = 1000
	defaultMaxBytes        = 64 << 20
	defaultSettleTries     = 5
	defaultShutdownTimeout = 25 * time.Second
	graceMargin            = 5 * time.Second // between the end of the grace period and that of the shutdown
)

// complete fills in defaults, and returns what is wrong.
func (c *flowConfig) complete() error {
	if c.limit.Messages == 0 {
		c.limit.Messages = defaultMaxUnsettled
	}
	if c.limit.Bytes == 0 {
		c.limit.Bytes = defaultMaxBytes
	}
	if c.settleTries == 0 {
		c.settleTries = defaultSettleTries
	}
	switch {
	case !c.given.shutdown && !c.given.grace:
		c.shutdownTimeout, c.gracePeriod = defaultShutdownTimeout, defaultShutdownTimeout-graceMargin
	case !c.given.shutdown:
		c.shutdownTimeout = c.gracePeriod + graceMargin
	case !c.given.grace:
		c.gracePeriod = max(c.shutdownTimeout-graceMargin, c.shutdownTimeout/2)
	}
	var errs []error
	refuse := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(c.limit.Messages < 0 || c.limit.Bytes < 0,
		"WithMaxUnsettled is %d messages and %d bytes, want neither negative", c.limit.Messages, c.limit.Bytes)
	refuse(c.queueSize < 0, "WithReceiverQueueSize is %d, want at least 1", c.queueSize)
	refuse(c.handlerTimeout < 0, "the handler timeout is negative: %s", c.handlerTimeout)
	refuse(c.inPlace < 0, "WithRetryInPlace has %d retries, want at least 0", c.inPlace)
	refuse(c.settleTries < 1, "WithSettleTries is %d, want at least 1", c.settleTries)
	refuse(c.gracePeriod < 0, "the grace period is negative: %s", c.gracePeriod)
	refuse(c.shutdownTimeout < 0, "the shutdown timeout is negative: %s", c.shutdownTimeout)
	refuse(c.gracePeriod > c.shutdownTimeout, "WithGracePeriod, %s, is longer than WithShutdownTimeout, %s",
		c.gracePeriod, c.shutdownTimeout)
	return errors.Join(errs...)
}

// WithConcurrency sets how many messages are handled at a time. The default is 1: handlers then run in the order of
// receipt, and the next message is handled when the one before is settled, though not yet acknowledged.
//
// With more, messages with the same key never overlap and keep their order, on every subscription type; the ordering
// key counts, else the key. Messages without a key are handled beside all others. A retry that is published again comes
// after what was on the topic before it, so a failure may change the order of a key: WithRetryInPlace keeps it.
func WithConcurrency(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.concurrency = n })
}

// WithUnordered has messages handled as soon as there is room, whatever their keys are.
func WithUnordered() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.unordered = true })
}

// A Limit bounds what a consumer has received and not settled: in handlers, before them and after them. Zero stands for
// the default.
type Limit struct {
	Messages int   // 1,000 by default
	Bytes    int64 // of their payloads; 64 MiB by default
}

// WithMaxUnsettled sets how much a consumer may have received and not settled. At the limit it receives nothing more;
// Status says so. Retries that the consumer holds back itself count. The limit in bytes may be exceeded by one message.
//
// What a process holds, and a crash can have handled twice, is this limit, and what the Pulsar client has fetched ahead
// (WithReceiverQueueSize and ten messages). A consumer whose handlers are busy takes less than the limit, so that
// others get their share of a topic.
func WithMaxUnsettled(l Limit) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.limit = l })
}

// WithReceiverQueueSize sets how many messages of a topic, or of each of its partitions, the Pulsar client fetches
// ahead. The default is 128 divided by the number of partitions, at least 16, on Shared and Key_Shared, since what one
// replica has fetched no other one can handle; it is 1,000 on Exclusive and Failover. Close hands back what was
// fetched, without an attempt counted.
func WithReceiverQueueSize(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.queueSize = n })
}

// WithHandlerTimeout bounds how long a handler may take. When the time is up its context ends with the cause
// ErrTimeout, and the delivery has failed: what the handler returns later changes nothing and is logged. The clock runs
// while the handler has the message, anew for each try in place; waiting is not being late. A handler that goes on
// keeps its place among those that are handled at a time, and its key's. The default, also for 0, is no bound.
func WithHandlerTimeout(d time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.handlerTimeout = d })
}

// WithRetryInPlace runs a handler that failed again, so many times, before the message is retried or dead-lettered: n
// retries are n+1 runs, and one attempt. In between only messages of the same key wait (with WithConcurrency(1), all),
// so the order of a key is kept. b says how long, by the number of runs so far; nil is no wait. Permanent ends the
// retries. The default is none.
func WithRetryInPlace(retries int, b Backoff) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.inPlace, c.inPlaceBackoff = retries, b })
}

// WithOnExhausted gives a message whose handler has failed for the last time to fn, instead of dead-lettering it. It is
// acknowledged when fn has returned nil, and reported as Recovered. When fn fails, panics, or takes longer than the
// send timeout, it is called again after a wait; on Shared and Key_Shared the message is given back after
// WithSettleTries. The handler is not run again. data is the payload as it came.
func WithOnExhausted(fn func(ctx context.Context, d *Delivery, data []byte, err error) error) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.onExhausted = fn })
}

// WithSettleTries sets how often publishing a retry or a dead letter is tried, WithNackBackoff apart, before the
// message is negatively acknowledged, on Shared and Key_Shared. Its handler is not run again in between. The default is
// 5; 1 is the letter of the contract (SET-3, RET-6). On Exclusive and Failover, where Pulsar would deliver everything
// else again with it, the message is kept and tried until it works; a retry that cannot be published becomes a dead
// letter after so many tries.
func WithSettleTries(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.settleTries = max(n, -1) })
}

// WithNackBackoff sets how long a message waits whose retry, dead letter or acknowledgement failed: shortest at first,
// doubling up to longest. The defaults are 1 s and 1 min, the least is 1 ms. Messages that are retried by negative
// acknowledgement (WithRetryByNack), and those that cannot be decrypted, wait as long. The consumer keeps them
// meanwhile, and they count against WithMaxUnsettled.
func WithNackBackoff(shortest, longest time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.nackMin, c.nackMax = shortest, longest })
}

// WithRetryByNack retries by negative acknowledgement instead of publishing again: the message is not rewritten, and
// Pulsar counts its redeliveries (RET-7). It needs a Shared or Key_Shared subscription (CFG-3). The wait before a
// redelivery is WithNackBackoff's, unless RetryAfter asks for a longer one; RetryAfter(0) is at once. The count lives
// in the broker's memory: it is lost when the topic moves, and it rises for messages of a batch whose neighbour is
// retried. Of a producer's batch Pulsar delivers all members again; those that this process has settled are not handled
// again.
func WithRetryByNack() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.byNack = true })
}

// WithDropUndecryptable acknowledges messages that cannot be decrypted: they are lost, and reported as Dropped with the
// reason Undecryptable. By default such a message is given back with WithNackBackoff and reported each time, for a
// consumer that has the key; on Exclusive and Failover it is kept instead, and what waits behind it waits with it.
func WithDropUndecryptable() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.dropUndecryptable = true })
}

// WithGracePeriod sets how long handlers may go on after Run's context ended. The default is 5 s less than
// WithShutdownTimeout. After it their contexts end, and what they were handling is delivered again.
func WithGracePeriod(d time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.gracePeriod, c.given.grace = d, true })
}

// WithShutdownTimeout bounds everything that Run does after its context ended: handling, settling, acknowledging and
// closing. The default is 25 s, or 5 s more than WithGracePeriod.
func WithShutdownTimeout(d time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.shutdownTimeout, c.given.shutdown = d, true })
}

// toFlow returns the limit as the flow has it.
func (l Limit) toFlow() flow.Limit { return flow.Limit{Messages: l.Messages, Bytes: l.Bytes} }
