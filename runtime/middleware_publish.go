package bq

import (
	"context"
	"errors"
	"fmt"
)

// A PublishHandler publishes a message. For Publish it returns the result. For PublishAsync it returns, without the
// MessageID, as soon as the message has its place among those that are sent; [OutgoingMessage.OnResult] tells the
// result in both cases.
type PublishHandler func(ctx context.Context, m *OutgoingMessage) (PublishResult, error)

// A PublishMiddleware returns a handler that runs around next: the counterpart of [Middleware]. The innermost handler
// puts the payload into the envelope and sends it.
//
// A middleware can read and replace the payload, change keys and properties, pass a context of its own, change the
// error, or not call next at all. For Publish it may call next again after next has returned an error; the message
// keeps its ID. A middleware is called once for the publishers, and the handler that it returns for each message, from
// several goroutines. Messages sent by [Producers.Send] do not pass it again.
type PublishMiddleware func(next PublishHandler) PublishHandler

// WithPublishMiddleware runs middleware around the publishing of messages, the first one outermost. Several calls add
// up.
func WithPublishMiddleware(mw ...PublishMiddleware) PublisherOption {
	return publisherOption(func(c *publisherConfig) { c.publishMiddleware = append(c.publishMiddleware, mw...) })
}

// publishHandler returns the middleware around what sends messages, or nil if there is none.
func (c *publisherConfig) publishHandler() (PublishHandler, error) {
	if len(c.publishMiddleware) == 0 {
		return nil, nil
	}
	h := PublishHandler(func(ctx context.Context, m *OutgoingMessage) (PublishResult, error) { return m.deliver(ctx, m) })
	for i := len(c.publishMiddleware) - 1; i >= 0; i-- {
		if c.publishMiddleware[i] == nil {
			return nil, errors.New("WithPublishMiddleware: a middleware is nil")
		}
		next := h
		err := protect(func() error { h = c.publishMiddleware[i](next); return nil })
		switch {
		case err != nil:
			return nil, fmt.Errorf("WithPublishMiddleware: %w", err)
		case h == nil:
			return nil, errors.New("WithPublishMiddleware: a middleware returned no handler")
		}
	}
	return h, nil
}
