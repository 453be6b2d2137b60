package bq

import (
	"context"
	"slices"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

type batchRoute[T any] struct {
	definition Definition[T]
	fn         BatchFunc[T]
}

// A batchRun is one call of a batch handler.
type batchRun[T any] struct {
	route   *batchRoute[T]
	handler Handler // the middleware, around decoding
	calls   []batchCall[T]
	members []flow.Member
	ends    []flow.Result   // what the middleware made of the results
	decoded []*batchCall[T] // those that the handler gets
	ctx     context.Context // that of the first of them
}

// A batchCall is one message of a batch. Its handle is inside of the middleware.
type batchCall[T any] struct {
	message Message[T]
	run     *batchRun[T]
	index   int
	inside  memberContext
	reached bool // it is in the batch
	result  flow.Result
}

// A memberContext is the context of a message of a batch behind the first. It is a part of the call, so that it needs
// no memory of its own.
type memberContext struct {
	context.Context
	first context.Context
}

// Value returns the first message's context for the key of BatchContext.
func (c *memberContext) Value(key any) any {
	if key == (batchKey{}) {
		return c.first
	}
	return c.Context.Value(key)
}

func (c *batchCall[T]) delivery() *Delivery { return &c.message.Delivery }

// handle decodes the payload, has the rest of the batch decoded and handled, and returns the result of its message. The
// payload is decoded once, however often a middleware calls this.
func (c *batchCall[T]) handle(ctx context.Context, d *Delivery) error {
	if c.reached {
		return c.result.Err
	}
	if d != &c.message.Delivery { // with a delivery of a middleware's own
		c.message.Delivery = *d
	}
	if err := c.run.route.definition.Codec.Read(d.data, &c.message.Data); err != nil {
		return &refusedPayloadError{err: err}
	}
	c.reached = true
	if c.run.ctx == nil {
		c.run.ctx = ctx
	}
	c.run.decoded = append(c.run.decoded, c)
	c.run.goOn(c.index + 1)
	return c.result.Err
}

// handle runs a batch. It returns a result for each member.
func (r *batchRoute[T]) handle(handler Handler, members []flow.Member) []flow.Result {
	run := &batchRun[T]{
		route: r, handler: handler, members: members,
		calls: make([]batchCall[T], len(members)), ends: make([]flow.Result, len(members)),
		decoded: make([]*batchCall[T], 0, len(members)),
	}
	for i, m := range members {
		c := &run.calls[i]
		c.run, c.index = run, i
		d := &c.message.Delivery
		d.fill(m.Verdict, m.Message)
		d.call, d.handle = c, flow.HandleOf(m.Context)
	}
	run.goOn(0)
	return run.ends
}

// goOn passes the members from an index on through the middleware, each inside of the one before it, and then calls the
// handler. A member that does not get through the middleware or cannot be decoded is left out.
func (r *batchRun[T]) goOn(from int) {
	for i := from; i < len(r.calls); i++ {
		c := &r.calls[i]
		ctx := r.members[i].Context
		if r.ctx != nil {
			c.inside = memberContext{ctx, r.ctx}
			ctx = &c.inside
		}
		err := protect(func() error { return r.handler(ctx, &c.message.Delivery) })
		r.ends[i] = flow.Result{Err: err}
		if c.reached {
			if c.result.Err == flow.ErrNotReached || c.result.Whole && err == c.result.Err {
				r.ends[i] = c.result // not for a middleware to change
			}
			return // the rest went on inside
		}
	}
	r.call()
}

// call calls the handler and notes the results.
func (r *batchRun[T]) call() {
	if len(r.decoded) == 0 {
		return
	}
	messages := make([]*Message[T], len(r.decoded))
	for i, c := range r.decoded {
		messages[i] = &c.message
	}
	err := protect(func() error { return r.route.fn(r.ctx, messages) })
	for i, result := range resultsOf(err, len(r.decoded)) {
		r.decoded[i].result = result
	}
}

// batches returns what finds the batch of a URN, or nil if no route has one.
func (c *Consumer) batches() func(urn string) *flow.Batch {
	byURN := make(map[string]*flow.Batch)
	for urn, route := range c.routes.byURN {
		if b := route.batch; b != nil {
			byURN[urn] = &flow.Batch{
				Size: b.Size, Bytes: b.Bytes, Wait: b.Wait,
				Handle: func(members []flow.Member) []flow.Result {
					return route.handleBatch(c.config.handle, slices.Clip(members))
				},
			}
		}
	}
	if len(byURN) == 0 {
		return nil
	}
	return func(urn string) *flow.Batch { return byURN[urn] }
}
