package bq

import "context"

// A Middleware runs around the handler of each message, after the payload was decoded. It calls next, at most once, to
// run the next middleware or the handler, and can pass a context of its own. What it returns counts as the handler's
// result. Messages whose payload cannot be decoded do not reach it.
type Middleware func(ctx context.Context, d *Delivery, next func(context.Context) error) error

// chain calls handler inside the middleware, the first one outermost.
func chain(ctx context.Context, d *Delivery, mw []Middleware, handler func(context.Context) error) error {
	if len(mw) == 0 {
		return handler(ctx)
	}
	return mw[0](ctx, d, func(ctx context.Context) error { return chain(ctx, d, mw[1:], handler) })
}
