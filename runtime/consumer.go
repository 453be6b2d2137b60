package bq

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Consumer receives the messages of a queue, has them handled and settles them.
type Consumer struct {
	client pulsar.Client
	queue  Queue
	routes RouteSet
	config consumerConfig
	flow   atomic.Pointer[flow.Flow] // of the current run, or the last one

	mu     sync.Mutex
	life   life
	paused bool
	ready  chan struct{} // of the current run, or the next one
}

// NewConsumer returns a consumer of the queue's messages. It does not talk to Pulsar before Run. The error says
// everything that is wrong with the queue, the routes and the options.
//
// client stays the caller's to close, after Run has returned. It may be nil when WithPulsarConsumer and, where needed,
// producers are given.
func NewConsumer(client pulsar.Client, q Queue, routes RouteSet, opts ...ConsumerOption) (*Consumer, error) {
	config, q, err := newConsumerConfig(client, q, opts)
	routed := errors.Join(routes.check(config.records != nil), routes.checkWith(&config), config.checkRoutes(routes))
	if err := errors.Join(q.check(), routed, err); err != nil {
		return nil, fmt.Errorf("consumer of queue %s: %w", q.Name, err)
	}
	for _, one := range config.queues {
		config.warnOfSharing(one.Queue, routes)
	}
	c := &Consumer{client: client, queue: q, routes: routes, config: config, ready: make(chan struct{})}
	c.life = life{state: StateIdle, since: time.Now()}
	return c, nil
}

// Ready returns a channel that is closed once Run has subscribed: for tests that publish next, and for services that
// wait for their start. After Run has ended it returns another channel, for the next run.
func (c *Consumer) Ready() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ready
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
	return &StuckError{ClientCalls: s.Calls, Observers: s.Observers, Deliveries: deliveriesOf(s.Handlers)}
}

func deliveriesOf(reports []flow.Report) (all []Delivery) {
	for _, r := range reports {
		all = append(all, newDelivery(&r.Verdict, r.Message))
	}
	return all
}
