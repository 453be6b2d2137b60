package bq

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// flowConfig returns the consumer's options and routes as the flow has them.
func (c *Consumer) flowConfig() flow.Config {
	config := &c.config
	retry, deadLetter := config.senders(c.client, c.queue)
	out := flow.Config{
		Topology: flow.Topology{Client: c.client, DeadLetterName: defaultSubscription},
		Sources:  []flow.Source{{Subscription: c.subscription(), Consumer: config.own.consumer}},
		Logger:   config.logger,
		Routes:   c.handlers(),
		Accept:   config.accept,
		Hooks:    c.hooks(),
		TraceKey: traceKey{},
		Policy: flow.Policy{
			MaxAttempts: int64(config.maxAttempts), HasDeadLetter: deadLetter != nil,
			HandlesUnknown: config.hooks.onUnknownURN != nil, Backoff: config.backoff,
			DropUndecryptable: config.dropUndecryptable,
		},
		Permanent: func(err error) bool {
			return config.refuseInvalid && errors.As(err, new(*refusedPayloadError))
		},
		Panicked: func(value any, stack []byte) error { return &PanicError{Value: value, Stack: stack} },
		StackOf:  stackOf,

		Slots: config.concurrency, Unordered: config.unordered, Limit: config.limit.toFlow(),
		Timeout: func(string) time.Duration { return config.handlerTimeout },
		InPlace: flow.InPlace{Retries: config.inPlace, Backoff: config.inPlaceBackoff},

		Retry: retry, DeadLetter: deadLetter, ByNack: config.byNack,
		NackBackoff: flow.Backoff{Shortest: config.nackMin, Longest: config.nackMax},
		SettleTries: config.settleTries, SendTimeout: config.sendTimeout,
		Grace: config.gracePeriod, Shutdown: config.shutdownTimeout,

		Unwatched: len(config.onSettled) == 0 && !config.logger.Enabled(context.Background(), slog.LevelDebug),
		Trace:     config.trace,
	}
	if config.own.deadLetter == nil {
		out.Topology.DeadLetterTopic = c.queue.DeadLetterTopic
	}
	if fn := config.onExhausted; fn != nil {
		out.Exhausted = func(ctx context.Context, v *flow.Verdict, msg pulsar.Message, err error) error {
			d := newDelivery(v, msg)
			return fn(ctx, &d, v.Envelope.Data, err)
		}
	}
	return out
}

// subscription returns the queue's subscription.
func (c *Consumer) subscription() flow.Subscription {
	return flow.Subscription{
		Topic: c.queue.Topic, Name: c.config.subscription, Type: c.config.subscriptionType,
		Position: c.config.initialPosition, QueueSize: c.config.queueSize,
	}
}

// handlers returns what finds the handler of a URN.
func (c *Consumer) handlers() flow.Routes {
	byURN := make(map[string]flow.Handler, len(c.routes.byURN))
	for urn, route := range c.routes.byURN {
		byURN[urn] = func(ctx context.Context, v *flow.Verdict, msg pulsar.Message) error {
			return route.handle(ctx, newDelivery(v, msg), v.Envelope.Data, c.config.middleware)
		}
	}
	return func(urn string) flow.Handler { return byURN[urn] }
}

// hooks returns the functions of the user's as the flow calls them.
func (c *Consumer) hooks() flow.Hooks {
	config := &c.config
	h := flow.Hooks{Ignored: c.warnOfIgnored, Settled: c.report}
	if fn := config.hooks.onError; fn != nil {
		h.Failed = func(ctx context.Context, err error, v *flow.Verdict, msg pulsar.Message) {
			var e *envelope.Envelope
			if v != nil {
				e = copyOf(v.Envelope)
			}
			fn(ctx, err, e, msg)
		}
	}
	if fn := config.hooks.onUnknownURN; fn != nil {
		h.Unknown = func(ctx context.Context, v *flow.Verdict, msg pulsar.Message) error {
			return fn(ctx, copyOf(v.Envelope), msg)
		}
	}
	if fn := config.hooks.onMismatch; fn != nil {
		h.Mismatch = func(ctx context.Context, v *flow.Verdict, msg pulsar.Message) {
			fn(ctx, v.URN, v.Envelope.URN(), copyOf(v.Envelope), msg)
		}
	}
	return h
}

// report logs what was done with a delivery and tells observers of it.
func (c *Consumer) report(r flow.Report) {
	s := Settlement{Action: Action(r.Action), Reason: r.Reason, Err: r.Err, SettleErr: r.SettleErr}
	level := s.level(r.Untouched)
	logs := c.config.logger.Enabled(context.Background(), level)
	if !logs && len(c.config.onSettled) == 0 {
		return
	}
	s.Delivery = newDelivery(&r.Verdict, r.Message)
	if logs {
		s.log(context.Background(), c.config.logger, level)
	}
	for _, fn := range c.config.onSettled {
		if err := protect(func() error { fn(s); return nil }); err != nil {
			c.config.logger.Error("a function given to WithOnSettled panicked",
				slog.Any("error", err), slog.String("stack", stackOf(err)))
		}
	}
}

// warnOfIgnored logs the members that mean nothing (ENV-9, ENV-10, ENV-13).
func (c *Consumer) warnOfIgnored(ctx context.Context, e *envelope.Envelope, v *flow.Verdict) {
	c.config.logger.WarnContext(ctx, "members of the envelope are ignored",
		slog.String("urn", text.Shorten(v.URN, maxLogValue)),
		slog.String("message_id", text.Shorten(e.Meta.ID, maxLogValue)),
		slog.String("members", strings.Join(e.Ignored, " ")))
}
