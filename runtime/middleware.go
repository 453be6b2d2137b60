package bq

import (
	"context"
	"errors"
	"fmt"
)

// A Handler handles a delivery whose payload is not decoded. What it returns means what it means when a [HandlerFunc]
// returns it.
type Handler func(ctx context.Context, d *Delivery) error

// A Middleware returns a handler that runs around next. The innermost handler decodes the payload and calls the
// function for its URN; if the payload violates its schema, it returns a [*PayloadError].
//
// A middleware can read and replace the payload ([Delivery.Data], [Delivery.SetData]), pass a context of its own,
// change the error, or not call next at all. It may call next again after next has returned; each call decodes the
// payload anew. A middleware is called once for a consumer, and the handler that it returns for each message, from
// several goroutines.
type Middleware func(next Handler) Handler

// WithMiddleware runs middleware around the handlers of a consumer and around those of [WithUnknownURN] and
// [WithRecords], the first one outermost. Several calls add up.
func WithMiddleware(mw ...Middleware) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		for _, m := range mw {
			c.refuse(m == nil, "WithMiddleware: a middleware is nil")
		}
		c.middleware = append(c.middleware, mw...)
	})
}

// WithUnknownURN calls h with each message whose URN has no handler. If h returns nil, the message is acknowledged
// instead of retried (SET-4). Otherwise it is retried and finally dead-lettered with the reason unknown_urn, as it is
// without h (SET-5, SET-6), unless the error says otherwise ([Permanent], [RetryAfter]). h never sees poison (POI-3) or
// gated messages (GATE-8).
func WithUnknownURN(h Handler) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(h == nil, "WithUnknownURN: the handler is nil")
		c.refuse(c.unknown != nil, "WithUnknownURN is given twice")
		c.unknown = h
	})
}

// compose returns the middleware around the innermost handler, or an error if one of them returns none. values says
// whether errors may contain parts of payloads.
func compose(mw []Middleware, values bool) (Handler, error) {
	h := Handler(func(ctx context.Context, d *Delivery) error {
		err := d.call.handle(ctx, d)
		if refused, ok := err.(*refusedPayloadError); ok {
			refused.values = values
		}
		return err
	})
	for i := len(mw) - 1; i >= 0; i-- {
		next := h
		err := protect(func() error { h = mw[i](next); return nil })
		switch {
		case err != nil:
			return nil, fmt.Errorf("WithMiddleware: %w", err)
		case h == nil:
			return nil, errors.New("WithMiddleware: a middleware returned no handler")
		}
	}
	return h, nil
}

// A call is a delivery and the function of the user's that handles it.
type call interface {
	delivery() *Delivery
	handle(ctx context.Context, d *Delivery) error
}

// A rawCall calls a function that takes payloads as they are.
type rawCall struct {
	d  Delivery
	fn Handler
}

func (c *rawCall) delivery() *Delivery                           { return &c.d }
func (c *rawCall) handle(ctx context.Context, d *Delivery) error { return c.fn(ctx, d) }

// A typedCall decodes payloads.
type typedCall[T any] struct {
	message Message[T]
	route   *typedRoute[T]
	used    bool // the message has been handled
}

func (c *typedCall[T]) delivery() *Delivery { return &c.message.Delivery }

func (c *typedCall[T]) handle(ctx context.Context, d *Delivery) error {
	m := &c.message
	if c.used || d != &m.Delivery { // called again, or with a delivery of a middleware's own
		m = &Message[T]{Delivery: *d}
	}
	c.used = true
	if err := c.route.definition.Codec.Read(d.data, &m.Data); err != nil {
		return &refusedPayloadError{err: err}
	}
	return c.route.fn(ctx, m)
}
