package bq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// receivePause is how long a worker waits after a failed receive.
const receivePause = time.Second

// A worker takes messages through the three steps: what is this delivery, what does its handler say, what is done with
// it. A consumer's goroutines share one.
type worker struct {
	consumer  pulsar.Consumer
	routes    RouteSet
	config    consumerConfig
	policy    policy
	lifetimes *lifetimes
	inFlight  *inFlight
	executor  executor
	delays    bool // the subscription knows delayed messages
}

func newWorker(c *Consumer, consumer pulsar.Consumer, producers *Producers, l *lifetimes) *worker {
	return &worker{
		consumer:  consumer,
		routes:    c.routes,
		config:    c.config,
		policy:    policy{maxAttempts: int64(c.config.maxAttempts), hasDeadLetter: c.queue.DeadLetterTopic != ""},
		lifetimes: l,
		inFlight:  newInFlight(),
		executor: executor{
			consumer:   consumer,
			producers:  producers,
			deadLetter: c.queue.DeadLetterTopic,
			ackTimeout: c.config.sendTimeout,
		},
		delays: c.config.subscriptionType == pulsar.Shared || c.config.subscriptionType == pulsar.KeyShared,
	}
}

// work receives and processes messages until receiving ends. No message ends it (SET-10).
func (w *worker) work() {
	for {
		msg, err := w.consumer.Receive(w.lifetimes.receiving)
		switch {
		case w.lifetimes.receiving.Err() != nil:
			return // a message received at the last moment stays unacknowledged and is delivered again
		case err == nil:
			w.process(msg)
		case isClosed(err):
			w.lifetimes.stop(fmt.Errorf("receive: %w", err))
			return
		default:
			w.config.logger.Warn("receive failed", slog.Any("error", err))
			_ = wait(w.lifetimes.receiving, receivePause)
		}
	}
}

// isClosed reports whether a receive error says that the consumer will not receive again.
func isClosed(err error) bool {
	var e *pulsar.Error
	return errors.As(err, &e) && (e.Result() == pulsar.ConsumerClosed || e.Result() == pulsar.AlreadyClosedError)
}

func (w *worker) process(msg pulsar.Message) {
	v := classify(msg.Payload(), msg.Properties(), msg.RedeliveryCount(), w.routes)
	d := newDelivery(v, msg)
	w.inFlight.handle(&d)
	var o outcome
	if v.kind == isRouted {
		o = w.call(v, d)
	}
	if !w.inFlight.settle(&d) {
		return
	}
	defer w.inFlight.settling.Done()
	s := w.hold(settle(v, o, w.policy))
	result := Settlement{Delivery: d, Reason: s.reason, Err: s.err}
	result.Action, result.SettleErr = w.executor.do(w.lifetimes.handling, msg, v, s)
	w.report(result)
}

// call has a delivery handled.
func (w *worker) call(v verdict, d Delivery) outcome {
	ctx, cancel := context.WithCancel(ContextWithTraceID(w.lifetimes.handling, v.envelope.TraceID))
	defer cancel()
	err := protect(func() error { return v.route.handle(ctx, d, v.envelope.Data, w.config.middleware) })
	return judge(ctx, w.lifetimes.receiving.Err() != nil, err)
}

// hold waits out a retry's delay where Pulsar would ignore it. Shutdown releases the message instead.
func (w *worker) hold(s settlement) settlement {
	if s.action == Retried && s.delay > 0 && !w.delays {
		if wait(w.lifetimes.receiving, s.delay) != nil {
			s.action = Released
		}
		s.delay = 0
	}
	return s
}

func (w *worker) report(s Settlement) {
	s.log(w.lifetimes.handling, w.config.logger)
	for _, fn := range w.config.onSettled {
		if err := protect(func() error { fn(s); return nil }); err != nil {
			w.config.logger.Error("a function given to WithOnSettled panicked", slog.Any("error", err), slog.String("stack", stackOf(err)))
		}
	}
}
