package bq

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A Consumer receives the messages of a queue, has them handled and settles them.
type Consumer struct {
	client  pulsar.Client
	queue   Queue
	routes  RouteSet
	config  consumerConfig
	started atomic.Bool
	ready   chan struct{}
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
// then leaves its goroutine behind and returns a [*StuckError] that names its message.
//
// Run also returns, with an error, when it cannot subscribe or when Pulsar closes the consumer for good. It can be
// called once.
//
// With a dead-letter topic Run first makes sure that the topic has a durable subscription, babelqueue, since Pulsar
// throws away what is published to a topic without one.
func (c *Consumer) Run(ctx context.Context) error {
	if c.started.Swap(true) {
		return fmt.Errorf("run consumer of queue %s: it was run before", c.queue.Name)
	}
	if err := c.run(ctx); err != nil {
		return fmt.Errorf("run consumer of queue %s: %w", c.queue.Name, err)
	}
	return nil
}
