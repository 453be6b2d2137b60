package bq

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

const (
	abandonAfter = time.Second      // how long handlers have to return after their contexts ended
	closeTimeout = 10 * time.Second // how long the client may take to close something
)

// ErrShutdown is the cause with which handlers' contexts end when the grace period is over.
var ErrShutdown = errors.New("the consumer is shutting down")

// lifetimes are the three that a consumer has. Receiving ends at once on shutdown. Handling goes on for the grace
// period. Settling is not cut short at all: it is bounded by the send timeout.
type lifetimes struct {
	receiving context.Context
	stop      context.CancelCauseFunc // ends receiving
	handling  context.Context
	interrupt context.CancelCauseFunc // ends handling
}

func newLifetimes(ctx context.Context) *lifetimes {
	l := new(lifetimes)
	l.receiving, l.stop = context.WithCancelCause(ctx)
	l.handling, l.interrupt = context.WithCancelCause(context.WithoutCancel(ctx))
	return l
}

func (l *lifetimes) end() {
	l.stop(nil)
	l.interrupt(nil)
}

// run is Run without its guard and its words around errors.
func (c *Consumer) run(ctx context.Context) error {
	consumer, err := c.start(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil // told to stop while starting
		}
		return err
	}
	producers := newProducers(c.client, settlingProducers(c.config.publisherConfig))
	l := newLifetimes(ctx)
	defer l.end()
	w := newWorker(c, consumer, producers, l)
	var workers sync.WaitGroup
	for range c.config.concurrency {
		workers.Go(w.work)
	}
	close(c.ready)

	<-l.receiving.Done()
	var failed error
	if ctx.Err() == nil {
		failed = context.Cause(l.receiving)
	}
	stuck := drain(&workers, w.inFlight, l, c.config.gracePeriod)
	w.executor.timers.stop()
	if c.config.own.consumer == nil {
		bounded(closeTimeout, consumer.Close)
	}
	bounded(closeTimeout, func() { _ = producers.Close() })
	return errors.Join(failed, stuck)
}

// start subscribes to the queue, its dead letters first, as far as the user has not.
func (c *Consumer) start(ctx context.Context) (pulsar.Consumer, error) {
	if c.queue.DeadLetterTopic != "" && c.config.own.deadLetter == nil {
		if err := keepDeadLetters(ctx, c.client, c.queue.DeadLetterTopic); err != nil {
			return nil, err
		}
	}
	if c.config.own.consumer != nil {
		return c.config.own.consumer, nil
	}
	return subscribe(ctx, c.client, c.subscription())
}

// drain waits for the workers to finish what they have in hand, and says which of them do not.
func drain(workers *sync.WaitGroup, f *inFlight, l *lifetimes, grace time.Duration) error {
	if bounded(grace, workers.Wait) {
		return nil
	}
	l.interrupt(ErrShutdown)
	if bounded(abandonAfter, workers.Wait) {
		return nil
	}
	stuck := f.abandon()
	f.settling.Wait()
	if len(stuck) == 0 {
		return nil
	}
	return &StuckError{Deliveries: stuck}
}

// bounded calls fn and reports whether it returned in time. If not, it is left to itself.
func bounded(limit time.Duration, fn func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// wait waits for d or until ctx ends, whose error it then returns.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
