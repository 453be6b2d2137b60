package bq

import (
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A Route connects the messages of one URN with their handler. The generated functions OnX return routes.
type Route struct {
	urn  string
	open func() call // returns a call of the handler; nil if there is no handler

	batch       *Batch // nil for a handler of single messages
	handleBatch func(Handler, []flow.Member) []flow.Result
}

type typedRoute[T any] struct {
	definition Definition[T]
	fn         HandlerFunc[T]
}

// Handle returns the route that decodes the payloads of d's URN and calls fn with them. A payload that violates its
// schema is a failed delivery, whose error is a [*PayloadError]; fn is not called.
func Handle[T any](d Definition[T], fn HandlerFunc[T]) Route {
	if fn == nil {
		return Route{urn: d.URN}
	}
	r := &typedRoute[T]{d, fn}
	return Route{urn: d.URN, open: func() call { return &typedCall[T]{route: r} }}
}

// A refusedPayloadError says that the payload of a delivery violates its schema, so that no handler saw it. A
// PayloadError without it is one that a handler produced itself, for example by publishing.
type refusedPayloadError struct {
	err    error
	values bool // may be shown
}

func (e *refusedPayloadError) Error() string {
	if detailed, ok := e.err.(*PayloadError); ok && e.values {
		return "decode the payload: " + detailed.Detail()
	}
	return "decode the payload: " + e.err.Error()
}

func (e *refusedPayloadError) Unwrap() error { return e.err }

// A RouteSet contains the routes of a consumer.
type RouteSet struct {
	byURN map[string]Route
	err   error
}

// Routes returns a set of routes. NewConsumer returns an error if the set is empty (unless there is [WithRecords]) or a
// URN is blank, has no handler or has two handlers.
func Routes(routes ...Route) RouteSet {
	set := RouteSet{byURN: make(map[string]Route, len(routes))}
	for _, r := range routes {
		urn := envelope.Trim(r.urn)
		switch _, taken := set.byURN[urn]; {
		case set.err != nil:
		case urn == "":
			set.err = fmt.Errorf("a route: %w", envelope.ErrBlankURN)
		case r.open == nil:
			set.err = fmt.Errorf("%s has no handler", urn)
		case taken:
			set.err = fmt.Errorf("%s has two handlers", urn)
		}
		set.byURN[urn] = r
	}
	return set
}

// checkWith returns what options and routes have against each other.
func (s RouteSet) checkWith(c *consumerConfig) error {
	var errs []error
	for urn := range c.routeTimeouts {
		if _, ok := s.byURN[urn]; !ok {
			errs = append(errs, fmt.Errorf("WithRouteTimeout: %.256q has no handler", urn))
		}
	}
	for urn, route := range s.byURN {
		if route.batch != nil && c.ackModeGiven && c.ackMode == AckEach {
			errs = append(errs, fmt.Errorf("WithAckMode(AckEach) is for handlers of single messages, and %.256q has "+
				"HandleBatch: leave the mode out, or use AckBatch or AckManual", urn))
		}
		if route.batch != nil {
			errs = append(errs, route.batch.check(urn, c.limit))
		}
	}
	return errors.Join(errs...)
}

// check returns an error if a consumer cannot use the routes. It needs some unless it takes records.
func (s RouteSet) check(takesRecords bool) error {
	if s.err == nil && len(s.byURN) == 0 && !takesRecords {
		return errors.New("there are no routes")
	}
	return s.err
}
