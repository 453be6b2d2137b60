package bq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// flowConfig returns the consumer's options and routes as the flow has them.
func (c *Consumer) flowConfig() flow.Config {
	config := &c.config
	retry, deadLetters := config.senders(c.client)
	out := flow.Config{
		Topology: flow.Topology{Client: c.client, Keep: config.kept()},
		Sources:  c.sources(deadLetters),
		Service:  config.service.toFlow(c.queue),
		Logger:   config.logger,
		Routes:   c.handlers(),
		Batches:  c.batches(),
		Accept:   config.accept,
		Hooks:    c.hooks(),
		TraceKey: traceKey{},
		Policy: flow.Policy{
			HandlesUnknown: config.unknown != nil, Backoff: config.retryBackoff(),
			DropUndecryptable: config.dropUndecryptable, ByNack: config.byNack,
		},
		Permanent: func(err error) bool {
			return config.refuseInvalid && errors.As(err, new(*refusedPayloadError))
		},
		Panicked: func(value any, stack []byte) error { return &PanicError{Value: value, Stack: stack} },
		StackOf:  stackOf,

		Manual: config.ackMode == AckManual, AckBatch: config.ackMode == AckBatch,
		Slots: config.concurrency, Unordered: config.unordered, Limit: config.limit.toFlow(),
		Timeout: config.timeoutOf,
		InPlace: flow.InPlace{Retries: config.inPlace, Backoff: config.inPlaceBackoff},

		Retry:   retry,
		Backoff: config.settleBackoff(), SlowAfter: config.slowAfter,
		SettleTries: config.settleTries, SendTimeout: config.sendTimeout,
		Grace: config.gracePeriod, Shutdown: config.shutdownTimeout,

		Unwatched: !c.watched() && !config.service.skipsUnknown &&
			!config.logger.Enabled(context.Background(), slog.LevelDebug),
		Trace: config.trace,
	}
	if fn := config.onExhausted; fn != nil {
		out.Exhausted = func(ctx context.Context, v *flow.Verdict, msg pulsar.Message, err error) error {
			d := newDelivery(v, msg)
			d.schemas = config.schemas
			return fn(ctx, &d, err)
		}
	}
	if fn := config.unknown; fn != nil {
		out.Unknown = c.handler(func() call { return &rawCall{fn: fn} })
	}
	if fn := config.records; fn != nil {
		out.Records = c.handler(func() call { return &rawCall{fn: fn} })
	}
	return out
}

// kept returns the topics of dead letters, and the subscriptions that they are to have.
func (c *consumerConfig) kept() (all []flow.Kept) {
	if c.own.deadLetter != nil || c.own.deadLetterName == "" {
		return nil
	}
	for _, q := range c.queues {
		if p := q.native(); p != nil {
			name := p.InitialSubscriptionName
			if name == "" {
				name = c.own.deadLetterName
			}
			all = append(all, flow.Kept{Topic: p.DeadLetterTopic, Name: name})
		}
		if q.DeadLetterTopic != "" {
			all = append(all, flow.Kept{Topic: q.DeadLetterTopic, Name: c.own.deadLetterName})
		}
	}
	return all
}

// sources returns the Pulsar consumers that messages come from.
func (c *Consumer) sources(deadLetters []flow.Sender) (all []flow.Source) {
	for i := range c.config.queues {
		for _, s := range c.sourcesOf(&c.config.queues[i]) {
			s.MaxAttempts, s.DeadLetter, s.Lanes = int64(c.config.queues[i].maxAttempts), deadLetters[i], i
			s.Native = c.config.queues[i].native() != nil
			all = append(all, s)
		}
	}
	return all
}

// sourcesOf returns the Pulsar consumers of a queue. Those of a service's retry topic are opened last: no retry is
// published before it has its subscription, and none is received before the queue's topic is (FAN-9).
func (c *Consumer) sourcesOf(q *consumedQueue) (all []flow.Source) {
	service := c.config.service.service
	var retries []flow.Source
	for i := range c.config.consumers {
		s := q.source
		if i > 0 && s.Template != nil && s.Template.Name != "" {
			numbered := *s.Template
			numbered.Name = fmt.Sprintf("%s-%d", numbered.Name, i+1)
			s.Template = &numbered
		}
		if service != nil && s.Type == pulsar.KeyShared && (s.Template == nil || s.Template.Name == "") {
			s.ConsumerName = "bqgen-" + uuid.NewString()
		}
		all = append(all, flow.Source{
			Subscription: s, Consumer: c.config.own.consumer,
			RetriesAreForeign: service != nil && !c.config.service.takesForeign,
		})
		if service != nil {
			retries = append(retries, flow.Source{Subscription: c.config.retries(s)})
		}
	}
	return append(all, retries...)
}

// handlers returns what finds the handler of a URN.
func (c *Consumer) handlers() flow.Routes {
	byURN := make(map[string]flow.Handler, len(c.routes.byURN))
	for urn, route := range c.routes.byURN {
		byURN[urn] = c.handler(route.open)
	}
	return func(urn string) flow.Handler { return byURN[urn] }
}

// handler returns what a flow calls with the messages of a route.
func (c *Consumer) handler(open func() call) flow.Handler {
	return func(ctx context.Context, v *flow.Verdict, msg pulsar.Message) error {
		called := open()
		d := called.delivery()
		d.fill(v, msg)
		d.call = called
		d.schemas = c.config.schemas
		d.handle = flow.HandleOf(ctx)
		return c.config.handle(ctx, d)
	}
}

// warnOfIgnored logs the members that mean nothing (ENV-9, ENV-10, ENV-13).
func (c *Consumer) warnOfIgnored(ctx context.Context, e *envelope.Envelope, v *flow.Verdict) {
	c.config.logger.WarnContext(ctx, "members of the envelope are ignored",
		slog.String("urn", text.Shorten(v.URN, maxLogValue)),
		slog.String("message_id", text.Shorten(e.Meta.ID, maxLogValue)),
		slog.String("members", strings.Join(e.Ignored, " ")))
}
