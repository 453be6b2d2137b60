package bqtest

import (
	"context"
	"slices"
)

// hold is an operation that hangs.
type hold struct {
	f      *Fault
	resume func()
}

// cancel takes the operation back: it will not happen.
func (h *hold) cancel() {
	if h == nil {
		return
	}
	for i, other := range h.f.held {
		if other == h {
			h.f.held = append(h.f.held[:i:i], h.f.held[i+1:]...)
			return
		}
	}
}

// inject carries an operation out under the faults in force: act does it, done is told how it ended. Both run with the
// lock held, before inject returns or, if the operation hangs, when it is released.
func (b *Broker) inject(op operation, call Call, act func() error, done func(error)) *hold {
	i := slices.IndexFunc(b.faults, func(f *Fault) bool { return f.meets(op, call) })
	if i < 0 {
		done(act())
		return nil
	}
	f := b.faults[i]
	f.hits.Add(1)
	if f.times > 0 {
		f.times--
	}
	defer b.notify()
	nothing := func() error { return nil }
	if f.applied {
		if err := act(); err != nil {
			done(err) // it failed by itself
			return nil
		}
		act = nothing
	}
	if f.lost {
		act = nothing
	}
	finish := func() {
		if f.err != nil {
			done(f.err)
			return
		}
		done(act())
	}
	return f.hold(call, finish)
}

// hold lets an operation go on at once, later or on Release.
func (f *Fault) hold(call Call, finish func()) *hold {
	b := f.b
	now := b.timers.current()
	at := now.Add(f.delay)
	if !call.since.IsZero() {
		at = call.since.Add(f.delay)
	}
	if !f.hang && !at.After(now) {
		finish()
		return nil
	}
	h := &hold{f: f, resume: finish}
	f.held = append(f.held, h)
	if !f.hang {
		b.schedule(at, func() {
			if slices.Contains(f.held, h) {
				h.cancel()
				h.resume()
				b.notify()
			}
		})
	}
	return h
}

// begin carries an operation out, or has a fault hold it. The result comes on the channel.
func (b *Broker) begin(op operation, call Call, act func() error) (<-chan error, *hold) {
	result := make(chan error, 1)
	b.lock()
	defer b.unlock()
	return result, b.inject(op, call, act, func(err error) { result <- err })
}

// takeBack cancels an operation whose caller gives up. If it has just been released, it returns true and the result.
func (b *Broker) takeBack(result <-chan error, h *hold) (error, bool) {
	b.lock()
	h.cancel()
	b.unlock()
	select {
	case err := <-result:
		return err, true
	default:
		return nil, false
	}
}

// await carries an operation of a client out and waits for its end, or for that of the client.
func (cl *client) await(op operation, call Call, act func() error) error {
	result, h := cl.b.begin(op, call, act)
	select {
	case err := <-result:
		return err
	case <-cl.done:
	}
	if err, done := cl.b.takeBack(result, h); done {
		return err
	}
	return errClientClosed
}

// receiveFault lets faults at a call of Receive. If the caller gives up, Receive finds out for itself.
func (c *consumer) receiveFault(ctx context.Context) error {
	c.b.lock()
	met := len(c.b.faults) > 0 && !c.closed && ctx.Err() == nil
	call := Call{Subscription: c.opts.SubscriptionName}
	for i, l := range c.links {
		if i == 0 {
			call.Topic = l.topic.name.Full
			continue
		}
		call.others = append(call.others, l.topic.name.Full)
	}
	c.b.unlock()
	if !met {
		return nil
	}
	result, h := c.b.begin(onReceive, call, func() error { return nil })
	if h == nil {
		return <-result
	}
	select {
	case err := <-result:
		return err
	case <-ctx.Done():
	case <-c.done:
	}
	err, _ := c.b.takeBack(result, h)
	return err
}
