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
	config, q, err := newConsumerConfig(client, q, opts)
	routed := errors.Join(routes.check(), routes.checkWith(&config), config.checkRoutes(routes))
	if err := errors.Join(q.check(), routed, err); err != nil {
		return nil, fmt.Errorf("consumer of queue %s: %w", q.Name, err)
	}
	config.warnOfSharing(q, routes)
	return &Consumer{client: client, queue: q, routes: routes, config: config, ready: make(chan struct{})}, nil
}

// Ready is closed once Run has subscribed: for readiness probes, and for tests that publish next.
func (c *Consumer) Ready() <-chan struct{} { return c.ready }

// Run subscribes and handles messages until ctx ends. Then it stops receiving, lets handlers finish within the grace
// period, settles their messages and returns nil.
//
// After the grace period the contexts of handlers end. Their results no longer count as failed attempts: the messages
// are delivered again. Run waits one more second for a handler that ignores its context, then abandons its goroutine
// and returns a [*StuckError] that names its message. All of this takes at most [WithShutdownTimeout].
//
// Run also returns, with an error, if it cannot subscribe or if Pulsar closes the consumer for good. It can be called
// once.
//
// If there is a dead-letter topic, Run first makes sure that it has a durable subscription, babelqueue, because Pulsar
// discards messages on a topic without one.
//
// # Duplicates
//
// Handlers must tolerate duplicates. A message may be handled more than once after a crash, when another consumer takes
// over, or when an acknowledgement was lost and the message goes to another process. One process never handles a
// message twice at the same time, and does not handle a message again that it has settled when a connection breaks or a
// topic moves. Pulsar delivers all messages of a producer's batch again if one of them is not settled.
//
// A message that kills the process is not counted as delivered, because Pulsar counts negative acknowledgements, not
// lost connections. If it does so every time, remove it from the topic by hand.
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
		var open *flow.ErrUnsettled
		switch {
		case errors.As(err, &stuck):
			err = stuckError(stuck.Stuck)
		case errors.As(err, &open):
			err = &UnsettledError{Deliveries: deliveriesOf(open.Deliveries)}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func stuckError(s flow.Stuck) error {
	return &StuckError{ClientCalls: s.Calls, Deliveries: deliveriesOf(s.Handlers)}
}

func deliveriesOf(reports []flow.Report) (all []Delivery) {
	for _, r := range reports {
		all = append(all, newDelivery(&r.Verdict, r.Message))
	}
	return all
}
