package bq

import (
	"context"
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A Route leads the messages of one URN to their handler. Generated On functions make them.
type Route struct {
	urn    string
	handle func(ctx context.Context, d Delivery, data []byte, mw []Middleware) error
}

// Handle returns the route that decodes the payload of d's URN and calls fn with it. A payload that is not what its
// schema says is a failed delivery with a [*PayloadError].
func Handle[T any](d Definition[T], fn HandlerFunc[T]) Route {
	if fn == nil {
		return Route{urn: d.URN}
	}
	return Route{urn: d.URN, handle: func(ctx context.Context, delivery Delivery, data []byte, mw []Middleware) error {
		m := Message[T]{Delivery: delivery}
		if err := d.Codec.Read(data, &m.Data); err != nil {
			return &refusedPayloadError{err}
		}
		if len(mw) == 0 {
			return fn(ctx, &m)
		}
		return chain(ctx, &m.Delivery, mw, func(ctx context.Context) error { return fn(ctx, &m) })
	}}
}

// A refusedPayloadError says that the delivery's payload is not what its schema says, so that no handler saw it. A
// PayloadError without it is one that a handler met on its own ways.
type refusedPayloadError struct{ err error }

func (e *refusedPayloadError) Error() string { return "decode the payload: " + e.err.Error() }
func (e *refusedPayloadError) Unwrap() error { return e.err }

// A RouteSet is the routes of a consumer.
type RouteSet struct {
	byURN map[string]Route
	err   error
}

// Routes puts routes together. A URN that is blank, has no handler or has two of them is an error that NewConsumer returns.
func Routes(routes ...Route) RouteSet {
	set := RouteSet{byURN: make(map[string]Route, len(routes))}
	for _, r := range routes {
		urn := envelope.Trim(r.urn)
		switch _, taken := set.byURN[urn]; {
		case set.err != nil:
		case urn == "":
			set.err = fmt.Errorf("a route: %w", envelope.ErrBlankURN)
		case r.handle == nil:
			set.err = fmt.Errorf("%s has no handler", urn)
		case taken:
			set.err = fmt.Errorf("%s has two handlers", urn)
		}
		set.byURN[urn] = r
	}
	return set
}

// check returns what is wrong with the routes.
func (s RouteSet) check() error {
	if s.err == nil && len(s.byURN) == 0 {
		return errors.New("there are no routes")
	}
	return s.err
}
