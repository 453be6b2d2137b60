package bq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/envelope"
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
}

func newWorker(c *Consumer, consumer pulsar.Consumer, producers *Producers, l *lifetimes) *worker {
	retry, deadLetter := c.config.senders(producers, c.queue)
	w := &worker{
		consumer: consumer,
		routes:   c.routes,
		config:   c.config,
		policy: policy{
			maxAttempts:   int64(c.config.maxAttempts),
			hasDeadLetter: deadLetter != nil,
			hooksUnknown:  c.config.hooks.onUnknownURN != nil,
		},
		lifetimes: l,
		inFlight:  newInFlight(),
		executor: executor{
			consumer:        consumer,
			retry:           retry,
			deadLetter:      deadLetter,
			deadLetterTopic: c.queue.DeadLetterTopic,
			byNack:          c.config.byNack,
			keeps:           !c.config.delays(),
			ackTimeout:      c.config.sendTimeout,
		},
	}
	if c.config.backoff != nil {
		w.policy.backoff = func(deliveries int64) (wait time.Duration) {
			w.observe("WithRetryBackoff", func() { wait = c.config.backoff(deliveries) })
			return wait
		}
	}
	return w
}

// work receives and processes messages until receiving ends. No message ends it (SET-10).
func (w *worker) work() {
	for {
		msg, err := w.consumer.Receive(w.lifetimes.receiving)
		switch {
		case w.lifetimes.receiving.Err() != nil:
			return // a message received at the last moment stays unacknowledged and is delivered again
		case err == nil:
			w.guard(msg)
		case isClosed(err):
			w.lifetimes.stop(fmt.Errorf("receive: %w", err))
			return
		default:
			w.config.logger.Warn("receive failed", slog.Any("error", err))
			w.failed(w.lifetimes.handling, fmt.Errorf("receive: %w", err), nil, nil)
			_ = wait(w.lifetimes.receiving, receivePause)
		}
	}
}

// isClosed reports whether a receive error says that the consumer will not receive again.
func isClosed(err error) bool {
	var e *pulsar.Error
	return errors.As(err, &e) && (e.Result() == pulsar.ConsumerClosed || e.Result() == pulsar.AlreadyClosedError)
}

// guard processes a message. What should panic all the same leaves the message to come again, and the worker at work.
func (w *worker) guard(msg pulsar.Message) {
	if err := protect(func() error { w.process(msg); return nil }); err != nil {
		w.config.logger.Error("processing a message panicked", slog.Any("error", err), slog.String("stack", stackOf(err)))
		w.executor.nack(msg)
	}
}

func (w *worker) process(msg pulsar.Message) {
	w.executor.timers.received(msg.ID())
	v := classify(msg.Payload(), msg.Properties(), msg.RedeliveryCount(), w.routes, w.config.accept)
	d := newDelivery(v, msg)
	w.inFlight.handle(&d)
	defer w.inFlight.forget(&d)
	s := w.hold(settle(v, w.ask(v, d, msg), w.policy))
	for tries := uint32(0); ; tries++ {
		result, done := w.settle(&d, msg, v, s)
		if !done {
			return
		}
		w.report(result)
		if result.Action != Returned || !w.executor.keeps {
			return
		}
		if wait(w.lifetimes.receiving, w.keptFor(tries)) != nil {
			result.Action = Released
			w.report(result)
			return
		}
	}
}

// longestKept bounds the wait between two attempts at settling a message. A send that nothing answers takes its timeout
// besides.
const longestKept = 5 * time.Second

// keptFor is how long a message that could not be settled is kept before it is tried again. On Exclusive and Failover
// it is not negatively acknowledged: Pulsar would deliver all that is not acknowledged again, which may be more than the
// client has room for. Then it stops reading from its connection, and the confirmations that settling waits for come by
// the same one.
func (w *worker) keptFor(tries uint32) time.Duration {
	return min(longestKept, nackBackoff{w.config.nackMin, w.config.nackMax}.Next(tries))
}

// settle carries a settlement out, unless Run has given up on the delivery. Nothing of the user's runs in it, so that
// Run can wait for it.
func (w *worker) settle(d *Delivery, msg pulsar.Message, v verdict, s settlement) (result Settlement, done bool) {
	if !w.inFlight.settle(d) {
		return result, false
	}
	defer w.inFlight.settling.Done()
	result = Settlement{Delivery: *d, Reason: s.reason, Err: s.err}
	// Shutdown does not cut settling short; the send timeout bounds it.
	result.Action, result.SettleErr = w.executor.do(context.WithoutCancel(w.lifetimes.handling), msg, v, s)
	return result, true
}

// ask returns what the handler and the hooks make of a delivery.
func (w *worker) ask(v verdict, d Delivery, msg pulsar.Message) outcome {
	ctx, cancel := context.WithCancel(w.lifetimes.handling)
	defer cancel()
	if v.envelope != nil {
		ctx = ContextWithTraceID(ctx, v.envelope.TraceID)
		w.warnOfIgnored(ctx, v.envelope, d)
	}
	w.mismatch(ctx, v, msg)
	switch {
	case v.kind == isRouted:
		var o outcome
		err := isolate(func() error {
			err := v.route.handle(ctx, d, v.envelope.Data, w.config.middleware)
			o = w.judge(ctx, err)
			return nil
		})
		if err != nil { // a panic, of the handler or of its error's methods
			o = w.judge(ctx, err)
		}
		if o.err != nil && !o.interrupted {
			w.failed(ctx, o.err, v.envelope, msg)
		}
		return o
	case v.kind == isUnhandled && w.policy.hooksUnknown:
		w.unknown(ctx, v, msg)
	default:
		w.failed(ctx, v.err, v.envelope, msg)
	}
	return outcome{}
}

// judge returns the outcome of a handler that returned err. It calls the error's methods, which are the user's.
func (w *worker) judge(ctx context.Context, err error) outcome {
	o := judge(ctx, w.lifetimes.receiving.Err(), err)
	if err != nil {
		o.permanent = o.permanent || w.config.refuseInvalid && errors.As(err, new(*refusedPayloadError))
		o.err = keep(err)
	}
	return o
}

// warnOfIgnored logs the members that mean nothing (ENV-9, ENV-10, ENV-13).
func (w *worker) warnOfIgnored(ctx context.Context, e *envelope.Envelope, d Delivery) {
	if len(e.Ignored) > 0 {
		w.config.logger.WarnContext(ctx, "members of the envelope are ignored",
			slog.String("urn", text.Shorten(d.URN, maxLogValue)), slog.String("message_id", text.Shorten(d.ID, maxLogValue)),
			slog.String("members", strings.Join(e.Ignored, " ")))
	}
}

// hold waits out a retry's delay where Pulsar would ignore it. Shutdown releases the message instead.
func (w *worker) hold(s settlement) settlement {
	if s.action == Retried && s.delay > 0 && !w.config.delays() {
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
		w.observe("WithOnSettled", func() { fn(s) })
	}
}
