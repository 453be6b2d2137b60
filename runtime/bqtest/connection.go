package bqtest

import "sync"

// connection is the goroutine on which a client hears from its broker: the results of sends are reported on it one
// after the other, so that a callback that blocks holds up those behind it, as in the real client. It runs only while
// there is something to report.
type connection struct {
	mu    sync.Mutex
	queue []func()
	runs  bool
	calls uint64 // functions called so far
	inFn  bool   // the last of them has not returned
}

// report calls fn on the connection's goroutine.
func (c *connection) report(fn func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, fn)
	if !c.runs {
		c.runs = true
		go c.run()
	}
}

// reportHere calls fn at once if nothing is ahead of it; fn must not block.
func (c *connection) reportHere(fn func()) {
	c.mu.Lock()
	if c.runs {
		c.queue = append(c.queue, fn)
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	fn()
}

// current identifies the function being called; it is 0 if there is none.
func (c *connection) current() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.inFn {
		return 0
	}
	return c.calls
}

func (c *connection) run() {
	for {
		c.mu.Lock()
		c.inFn = false
		if len(c.queue) == 0 {
			c.runs = false
			c.mu.Unlock()
			return
		}
		fn := c.queue[0]
		c.queue = c.queue[1:]
		c.calls++
		c.inFn = true
		c.mu.Unlock()
		fn()
	}
}
