package flow

import (
	"context"
	"sync"
	"time"
)

// This file owns the contexts of user code.

// A runContext is the context of one run. It carries the message's trace id. Most user code never asks it for more, so
// a context of the standard library is made only when somebody does.
type runContext struct {
	parent   context.Context
	traceKey any
	traceID  string
	handle   Handle

	mu     sync.Mutex
	real   context.Context
	cancel context.CancelCauseFunc
	ended  bool
	cause  error
}

var _ context.Context = (*runContext)(nil)

// Deadline is that of the parent: a handler's timeout is told by Done.
func (c *runContext) Deadline() (time.Time, bool) { return c.parent.Deadline() }

// Done is closed when the run has ended, is late, or has to end because of the shutdown.
func (c *runContext) Done() <-chan struct{} { return c.standard().Done() }

// Err says why Done is closed.
func (c *runContext) Err() error {
	c.mu.Lock()
	real, ended := c.real, c.ended
	c.mu.Unlock()
	switch {
	case real != nil:
		return real.Err()
	case ended:
		return context.Canceled
	}
	return c.parent.Err()
}

// Value returns what the run knows, or what its parent does.
func (c *runContext) Value(key any) any {
	if key == c.traceKey {
		return c.traceID
	}
	c.mu.Lock()
	real, ended := c.real, c.ended
	c.mu.Unlock()
	switch {
	case real != nil:
		return real.Value(key)
	case ended:
		return c.standard().Value(key) // for context.Cause
	}
	return c.parent.Value(key)
}

// standard returns the run's context of the standard library.
func (c *runContext) standard() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.real == nil {
		c.real, c.cancel = context.WithCancelCause(c.parent)
		if c.ended {
			c.cancel(c.cause)
		}
	}
	return c.real
}

// end ends the context. The first cause stays.
func (c *runContext) end(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended, c.cause = true, cause
	if c.cancel != nil {
		c.cancel(cause)
	}
}
