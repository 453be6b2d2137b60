package bq

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Consumer receives the messages of a queue, has them handled and settles them.
type Consumer struct {
	client  pulsar.Client
	queue   Queue
	routes  RouteSet
	config  consumerConfig
	started atomic.Bool
	ready   chan struct{}
	flow    atomic.Pointer[flow.Flow]
}

// NewConsumer returns a consumer of the queue's messages. It does not talk to Pulsar before Run. The error says
// everything that is wrong with the queue, the routes and the options.
//
// client stays the caller's to close, after Run has returned. It may be nil when WithPulsarConsumer and, where needed,
// producers are given.
func NewConsumer(client pulsar.Client, q Queue, routes RouteSet, opts ...ConsumerOption) (*Consumer, error) {
	config, err := newConsumerConfig(client, q, opts)
	if err := errors.Join(q.check(), routes.check(), err); err != nil {
		return nil, fmt.Errorf("consumer of queue %s: %w", q.Name, err)
	}
	return &Consumer{client: client, queue: q, routes: routes, config: config, ready: make(chan struct{})}, nil
}

// Ready is closed once Run has subscribed: for readiness probes, and for tests that publish next.
func (c *Consumer) Ready() <-chan struct{} { return c.ready }

// Run subscribes and handles messages until ctx ends. Then it receives no more, lets handlers finish within the grace
// period, settles what they say and returns nil.
//
// When the grace period is over the handlers' contexts end. What they return after that is no failed attempt: the
// message is left for Pulsar to deliver again. Run waits one more second for a handler that does not heed its context,
// then leaves its goroutine behind and returns a [*StuckError] that names its message. All of it takes no longer than
// WithShutdownTimeout.
//
// Run also returns, with an error, when it cannot subscribe or when Pulsar closes the consumer for good. It can be
// called once.
//
// With a dead-letter topic Run first makes sure that the topic has a durable subscription, babelqueue, since Pulsar
// throws away what is published to a topic without one.
//
// # Duplicates
//
// A message may be handled more than once, and handlers have to bear that: after a crash, when another consumer takes
// over, or when an acknowledgement got lost and the message goes to another process. In one process no message is
// handled twice at a time, and one that was settled here is not handled again when a connection breaks or a topic
// moves. For messages that producers batch, Pulsar delivers all members of a batch again of which one is not settled.
//
// A message that kills the process is not counted as delivered: Pulsar counts negative acknowledgements, not lost
// connections. If it does so each time, it has to be taken off the topic by hand.
func (c *Consumer) Run(ctx context.Context) error {
	if c.started.Swap(true) {
		return fmt.Errorf("run consumer of queue %s: it was run before", c.queue.Name)
	}
	f := flow.New(ctx, c.flowConfig())
	c.flow.Store(f)
	if err := f.Run(func() { close(c.ready) }); err != nil {
		return fmt.Errorf("run consumer of queue %s: %w", c.queue.Name, c.runError(err))
	}
	return nil
}

// runError returns the errors of a run as users know them.
func (c *Consumer) runError(err error) error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return err
	}
	var errs []error
	for _, err := range joined.Unwrap() {
		var stuck *flow.ErrStuck
		if errors.As(err, &stuck) {
			err = stuckError(stuck.Stuck)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func stuckError(s flow.Stuck) error {
	e := &StuckError{ClientCalls: s.Calls}
	for _, r := range s.Handlers {
		e.Deliveries = append(e.Deliveries, newDelivery(&r.Verdict, r.Message))
	}
	return e
}
