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
	routeTimeouts     map[string]time.Duration // by URN
	ackMode           AckMode
	ackModeGiven      bool
	inPlace           int
	inPlaceBackoff    Backoff
	onExhausted       func(ctx context.Context, d *Delivery, err error) error
	settleTries       int
	gracePeriod       time.Duration
	shutdownTimeout   time.Duration
	dropUndecryptable bool
	given             struct{ grace, shutdown bool }
	slowAfter         time.Duration                      // before the log says that a handler is slow
	trace             func(state, event, becomes string) // for tests
}

// The defaults of these options.
const (
	defaultMaxUnsettled    = 1000
	defaultMaxBytes        = 64 << 20
	defaultSettleTries     = 5
	defaultShutdownTimeout = 25 * time.Second
	defaultSlowAfter       = time.Minute
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
	if c.slowAfter == 0 {
		c.slowAfter = defaultSlowAfter
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

// WithConcurrency sets how many messages are handled at a time. The default is 1: handlers run in the order of receipt,
// and the next message is handled when the previous one is settled, though perhaps not yet acknowledged.
//
// With more, messages with the same key never overlap and keep their order, on every subscription type. The key is the
// ordering key if there is one. Messages without a key are independent of all others. A retry that is published again
// goes behind later messages on the topic, so a failure may change the order of a key; [WithRetryInPlace] keeps it.
func WithConcurrency(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.concurrency = n })
}

// WithUnordered ignores keys: messages are handled as soon as a handler is free.
func WithUnordered() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.unordered = true })
}

// A Limit limits the messages that a consumer has received and not settled, including those that wait before or after
// their handlers. Zero means the default.
type Limit struct {
	Messages int   // 1,000 by default
	Bytes    int64 // of their payloads; 64 MiB by default
}

// WithMaxUnsettled limits the messages that a consumer has received and not settled, including retries that it holds
// itself. At the limit it receives nothing more, and [Status] says so. One message may exceed the limit in bytes.
//
// After a crash, messages up to this limit may be handled twice, besides those that the Pulsar client had fetched ahead
// ([WithReceiverQueueSize] and ten more). A consumer whose handlers are busy takes less than the limit, so that other
// consumers get their share.
func WithMaxUnsettled(l Limit) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.limit = l })
}

// WithReceiverQueueSize sets how many messages of a topic, or of each of its partitions, the Pulsar client fetches
// ahead. On Shared and Key_Shared the default is 128 divided by the number of partitions, at least 16, because no other
// replica can handle what one has fetched. On Exclusive and Failover it is 1,000. Close returns fetched messages
// without counting an attempt.
func WithReceiverQueueSize(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.queueSize = n; c.subscribes("WithReceiverQueueSize") })
}

// WithHandlerTimeout limits how long a handler may take. When its time is up, its context ends with the cause
// [ErrTimeout] and the delivery has failed; what the handler returns later is only logged. The time starts with each
// call of the handler, also for a retry in place; decoding the payload and the middleware count, waiting does not.
// Until a late handler returns, it still occupies one of the concurrent handlers and its key. The default, also for 0,
// is no limit.
func WithHandlerTimeout(d time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.handlerTimeout = d })
}

// WithRetryInPlace calls a handler that failed up to retries more times before the message is retried or dead-lettered.
// All of it is one attempt. Meanwhile only messages of the same key wait (all, with WithConcurrency(1)), so the order
// of a key is kept. b returns the wait after a number of failed calls; nil means no wait. Permanent ends the retries.
// The default is none.
func WithRetryInPlace(retries int, b Backoff) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.inPlace, c.inPlaceBackoff = retries, b })
}

// WithOnExhausted passes a message to fn, instead of dead-lettering it, when its last attempt has failed. If fn returns
// nil, the message is acknowledged and reported as Recovered. If fn fails, panics or takes longer than the send
// timeout, it is called again after a wait; on Shared and Key_Shared the message is negatively acknowledged after
// [WithSettleTries] calls. The handler is not called again.
func WithOnExhausted(fn func(ctx context.Context, d *Delivery, err error) error) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(fn == nil, "WithOnExhausted: the function is nil")
		c.refuse(c.onExhausted != nil, "WithOnExhausted is given twice")
		c.onExhausted = fn
	})
}

// WithSettleTries sets how often a consumer tries to publish a retry or a dead letter, with the waits of
// [WithRetryBackoff], before it negatively acknowledges the message. The handler is not called again in between. The
// default is 5; 1 follows the contract to the letter (SET-3, RET-6). This applies to Shared and Key_Shared. On
// Exclusive and Failover, where Pulsar would redeliver everything else too, the consumer keeps the message and tries
// until it succeeds; a retry that cannot be published becomes a dead letter after that many tries.
func WithSettleTries(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.settleTries = max(n, -1) })
}

// WithRetryByNack retries by negative acknowledgement instead of publishing again: the message is not rewritten, and
// Pulsar counts its redeliveries (RET-7). It needs a Shared or Key_Shared subscription (CFG-3). The waits
// are those of [WithRetryBackoff] and [RetryAfter], and the consumer keeps the message meanwhile. The count is in the
// broker's memory: it is lost when the topic moves, and it increases for all messages of a batch when one is retried.
// Pulsar delivers all messages of a batch again; those that this process has settled are not handled again.
func WithRetryByNack() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.byNack = true })
}

// WithDropUndecryptable acknowledges messages that cannot be decrypted. They are lost, and reported as [Dropped] with
// the reason [Undecryptable]. By default such a message is negatively acknowledged after a wait and reported
// each time, for a consumer that has the key. On Exclusive and Failover the consumer keeps it instead, and later
// messages of its key wait.
func WithDropUndecryptable() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.dropUndecryptable = true })
}

// WithGracePeriod sets how long handlers may continue after Run's context has ended. The default is 5 s less than
// [WithShutdownTimeout]. After it the contexts of handlers end, and their messages are delivered again.
func WithGracePeriod(d time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.gracePeriod, c.given.grace = d, true })
}

// WithShutdownTimeout limits everything that Run does after its context has ended: handling, settling, acknowledging
// and closing, also while the broker hangs. The default is 25 s, or 5 s more than [WithGracePeriod]. The last 2 s, or a
// quarter of a shorter time, are for closing. Closing the client afterwards is up to the caller, and may hang.
func WithShutdownTimeout(d time.Duration) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.shutdownTimeout, c.given.shutdown = d, true })
}

// timeoutOf returns the timeout of a URN's handler, or 0.
func (c *flowConfig) timeoutOf(urn string) time.Duration {
	if d, ok := c.routeTimeouts[urn]; ok {
		return d
	}
	return c.handlerTimeout
}

// toFlow returns the limit as the flow has it.
func (l Limit) toFlow() flow.Limit { return flow.Limit{Messages: l.Messages, Bytes: l.Bytes} }
