package bqtest

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/apache/pulsar-client-go/pulsar"
)

type operation int

const (
	onSend operation = iota
	onAck
	onReceive
	onSubscribe
	onCreateProducer
)

// Call is an operation that a [Fault] can look at.
type Call struct {
	Topic        string                  // full name, with the partition if it has one
	Subscription string                  // of consumers
	Producer     string                  // name, of producers
	Message      *pulsar.ProducerMessage // of a send; not to be changed

	others []string // further topics, of a consumer that has several
}

// Fault is something to go wrong: which operations it meets, and what becomes
// of them. Put it in force with [Broker.Fail]:
//
//	f := broker.Fail(bqtest.OnSend("orders.dlq").Times(2).Err(pulsar.ErrSendTimeout))
//	...
//	if f.Hits() != 2 { ... }
//
// What becomes of an operation:
//
//	.Err(err)            it does not happen; the caller gets err
//	.Applied().Err(err)  it happens; the caller gets err all the same
//	.Hang()              it waits, and happens on Release
//	.Hang().Err(err)     it waits, does not happen, and gets err on Release
//	.Applied().Hang()    it happens; the answer waits for Release
//
// With none of these the operation fails with [ErrInjected]. Methods that set
// up a fault return it; call them before Fail.
type Fault struct {
	op      operation
	topics  []string
	when    func(Call) bool
	skip    int
	times   int // how many more; negative: no limit
	err     error
	applied bool
	hang    bool

	b    *Broker
	held []*hold
	hits atomic.Int64
}

func newFault(op operation, topics []string) *Fault {
	return &Fault{op: op, topics: topics, times: -1}
}

// OnSend meets messages being sent to one of the topics, or to any if none is
// given. A partitioned topic's name stands for its partitions. While a
// producer's send hangs, its later ones to the same partition wait behind it,
// and the send timeout runs.
func OnSend(topics ...string) *Fault { return newFault(onSend, topics) }

// OnAck meets acknowledgements of messages of the topics. Without
// AckWithResponse the consumer is not told: the acknowledgement is lost in
// silence, and the message is delivered again when the consumer has gone.
func OnAck(topics ...string) *Fault { return newFault(onAck, topics) }

// OnReceive meets calls of Receive (and of a reader's Next) by consumers of
// the topics. A call that hangs goes on with receiving on Release. Messages
// read from a consumer's channel are not met.
func OnReceive(topics ...string) *Fault { return newFault(onReceive, topics) }

// OnSubscribe meets consumers and readers subscribing to the topics.
func OnSubscribe(topics ...string) *Fault { return newFault(onSubscribe, topics) }

// OnCreateProducer meets producers being created on the topics.
func OnCreateProducer(topics ...string) *Fault { return newFault(onCreateProducer, topics) }

// Times limits the fault to the next n operations it meets. The default is
// all.
func (f *Fault) Times(n int) *Fault { f.times = n; return f }

// After lets n operations pass before the first that is met.
func (f *Fault) After(n int) *Fault { f.skip = n; return f }

// When narrows the fault to the operations for which ok returns true. ok must
// not call the broker or its clients.
func (f *Fault) When(ok func(Call) bool) *Fault { f.when = ok; return f }

// Err sets the error that the caller gets.
func (f *Fault) Err(err error) *Fault { f.err = err; return f }

// Applied has the operation carried out although the caller is told otherwise:
// what a timeout can mean.
func (f *Fault) Applied() *Fault { f.applied = true; return f }

// Hang has the operation wait until [Fault.Release], or until the caller gives
// up: its context ends, its send times out, it is closed.
func (f *Fault) Hang() *Fault { f.hang = true; return f }

// Fail puts a fault in force and returns it. Of several that meet an operation
// the one that came first has it, until its Times are used up. It panics if
// one of the fault's topics is not a topic's name, or if it has been called with
// the fault before.
func (b *Broker) Fail(f *Fault) *Fault {
	f.topics = slices.Clone(f.topics)
	for i, name := range f.topics {
		tn, err := parseTopic(name)
		if err != nil {
			panic("bqtest: Fail: " + err.Error())
		}
		f.topics[i] = tn.full
	}
	if f.err == nil && !f.hang {
		f.err = ErrInjected
	}
	if f.b != nil {
		panic("bqtest: Fail: the fault is, or was, in force already")
	}
	b.lock()
	defer b.unlock()
	f.b = b
	b.faults = append(b.faults, f)
	return f
}

// Hits counts the operations that the fault has met.
func (f *Fault) Hits() int { return int(f.hits.Load()) }

// Held counts the operations that hang at the moment.
func (f *Fault) Held() int {
	if f.b == nil {
		return 0
	}
	f.b.lock()
	defer f.b.unlock()
	return len(f.held)
}

// Release lets what hangs go on and takes the fault out of force.
func (f *Fault) Release() {
	if f.b == nil {
		return
	}
	f.b.lock()
	defer f.b.unlock()
	f.remove()
	held := f.held
	f.held = nil
	for _, h := range held {
		h.resume()
	}
	f.b.notify()
}

// Clear takes the fault out of force. What hangs goes on hanging until
// Release.
func (f *Fault) Clear() {
	if f.b == nil {
		return
	}
	f.b.lock()
	defer f.b.unlock()
	f.remove()
}

func (f *Fault) remove() {
	for i, other := range f.b.faults {
		if other == f {
			f.b.faults = append(f.b.faults[:i:i], f.b.faults[i+1:]...)
			return
		}
	}
}

// abandon forgets what hangs, when the broker closes: its callers are closed
// as well.
func (f *Fault) abandon() { f.held = nil }

func (f *Fault) meets(op operation, call Call) bool {
	if f.op != op || f.times == 0 {
		return false
	}
	if len(f.topics) > 0 {
		found := slices.ContainsFunc(append(call.others, call.Topic), func(name string) bool {
			tn, _ := parseTopic(name)
			return slices.Contains(f.topics, tn.full) || slices.Contains(f.topics, tn.base)
		})
		if !found {
			return false
		}
	}
	if f.when != nil && !f.when(call) {
		return false
	}
	if f.skip > 0 {
		f.skip--
		return false
	}
	return true
}

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

// inject carries an operation out under the faults in force: act does it, done
// is told how it ended. Both run with the lock held, before inject returns or,
// if the operation hangs, when it is released.
func (b *Broker) inject(op operation, call Call, act func() error, done func(error)) *hold {
	var f *Fault
	for _, other := range b.faults {
		if other.meets(op, call) {
			f = other
			break
		}
	}
	if f == nil {
		done(act())
		return nil
	}
	f.hits.Add(1)
	if f.times > 0 {
		f.times--
	}
	defer b.notify()
	if f.applied {
		if err := act(); err != nil {
			done(err) // it failed by itself
			return nil
		}
		act = func() error { return nil }
	}
	finish := func() {
		if f.err != nil {
			done(f.err)
			return
		}
		done(act())
	}
	if !f.hang {
		finish()
		return nil
	}
	h := &hold{f: f, resume: finish}
	f.held = append(f.held, h)
	return h
}

// begin carries an operation out, or has a fault hold it; the result comes on
// the channel.
func (b *Broker) begin(op operation, call Call, act func() error) (<-chan error, *hold) {
	result := make(chan error, 1)
	b.lock()
	defer b.unlock()
	return result, b.inject(op, call, act, func(err error) { result <- err })
}

// takeBack cancels an operation whose caller gives up, unless it has just been
// released; then it says true and gives the result.
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

// await carries an operation of a client out and waits for its end, or for
// that of the client.
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

// receiveFault lets faults at a call of Receive. Should the caller give up,
// Receive finds out for itself.
func (c *consumer) receiveFault(ctx context.Context) error {
	c.b.lock()
	met := len(c.b.faults) > 0 && !c.closed && ctx.Err() == nil
	call := Call{Subscription: c.opts.SubscriptionName}
	for i, l := range c.links {
		if i == 0 {
			call.Topic = l.topic.name.full
			continue
		}
		call.others = append(call.others, l.topic.name.full)
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
