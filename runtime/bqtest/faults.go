package bqtest

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
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
	Message      *pulsar.ProducerMessage // of a send: the first of a batch; not to be changed

	others []string  // further topics, of a consumer that has several
	since  time.Time // when it was begun, if not now
}

// Fault is something to go wrong or slowly: which operations it meets, and what becomes of them. Put it in force with
// [Broker.Fail]:
//
//	f := broker.Fail(bqtest.OnSend("orders.dlq").Times(2).Err(pulsar.ErrSendTimeout))
//	...
//	if f.Hits() != 2 { ... }
//
// What becomes of an operation:
//
//	.Err(err)            it does not happen; the caller gets err
//	.Applied().Err(err)  it happens; the caller gets err all the same
//	.Lost()              it does not happen; the caller is told that it did
//	.Hang()              it waits, and happens on Release
//	.Hang().Err(err)     it waits, does not happen, and gets err on Release
//	.Applied().Hang()    it happens; the answer waits for Release
//	.Delay(d)            like Hang, with a Release of each operation when d is over
//
// With none of these the operation fails with [ErrInjected]. Methods that set up a fault return it; call them before
// Fail.
type Fault struct {
	op      operation
	topics  []string
	when    func(Call) bool
	skip    int
	times   int // how many more; negative: no limit
	err     error
	applied bool
	lost    bool
	hang    bool
	delay   time.Duration

	b    *Broker
	held []*hold
	hits atomic.Int64
}

func newFault(op operation, topics []string) *Fault {
	return &Fault{op: op, topics: topics, times: -1}
}

// OnSend meets entries being sent to one of the topics, or to any if none is given: messages, or batches of them. A
// partitioned topic's name stands for its partitions. While a producer's send hangs, its later ones to the same
// partition wait behind it, and the send timeout runs. Delays of several sends run side by side.
func OnSend(topics ...string) *Fault { return newFault(onSend, topics) }

// OnAck meets requests to acknowledge messages of the topics: one per call of Ack or AckID, one per partition of an
// AckIDList, none for a member of a batch whose other members are not acknowledged yet. The client has one request of a
// partition under way at a time, so while one hangs, or is delayed, the later ones wait behind it; the client gives it
// up after 30 s. Without AckWithResponse the consumer is not told: the acknowledgement is lost in silence, and the
// message is delivered again when the consumer has gone.
func OnAck(topics ...string) *Fault { return newFault(onAck, topics) }

// OnReceive meets calls of Receive (and of a reader's Next) by consumers of the topics. A call that hangs goes on with
// receiving on Release. Messages read from a consumer's channel are not met.
func OnReceive(topics ...string) *Fault { return newFault(onReceive, topics) }

// OnSubscribe meets consumers and readers subscribing to the topics.
func OnSubscribe(topics ...string) *Fault { return newFault(onSubscribe, topics) }

// OnCreateProducer meets producers being created on the topics.
func OnCreateProducer(topics ...string) *Fault { return newFault(onCreateProducer, topics) }

// Times limits the fault to the next n operations it meets. The default is all.
func (f *Fault) Times(n int) *Fault { f.times = n; return f }

// After lets n operations pass before the first that is met.
func (f *Fault) After(n int) *Fault { f.skip = n; return f }

// When narrows the fault to the operations for which ok returns true. ok must not call the broker or its clients.
func (f *Fault) When(ok func(Call) bool) *Fault { f.when = ok; return f }

// Err sets the error that the caller gets.
func (f *Fault) Err(err error) *Fault { f.err = err; return f }

// Applied has the operation carried out although the caller is told otherwise: what a timeout can mean.
func (f *Fault) Applied() *Fault { f.applied = true; return f }

// Lost has the operation not carried out although the caller is told that it was. It is for acknowledgements: a broker
// confirms them before they are safe from its own crash, and from an unload that comes in the same moment.
func (f *Fault) Lost() *Fault { f.lost = true; return f }

// Hang has the operation wait until [Fault.Release], or until the caller gives up: its context ends, its send or its
// acknowledgement times out, it is closed.
func (f *Fault) Hang() *Fault { f.hang = true; return f }

// Delay has the operation wait for d by the broker's clock, as a broker far away or under load does. Release ends the
// delays under way as well.
func (f *Fault) Delay(d time.Duration) *Fault { f.delay = d; return f }

// Fail puts a fault in force and returns it. Of several that meet an operation the one that came first has it, until
// its Times are used up. It panics if one of the fault's topics is not a topic's name, if it has been called with the
// fault before, or if the fault loses anything but acknowledgements.
func (b *Broker) Fail(f *Fault) *Fault {
	f.topics = slices.Clone(f.topics)
	for i, name := range f.topics {
		f.topics[i] = mustParseTopic("Fail", name).Full
	}
	if f.lost && f.op != onAck {
		panic("bqtest: Fail: only acknowledgements can be lost")
	}
	if f.err == nil && !f.hang && !f.lost && f.delay == 0 {
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

// Clear takes the fault out of force. What hangs goes on hanging until Release.
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

// abandon forgets what hangs, when the broker closes: its callers are closed as well.
func (f *Fault) abandon() { f.held = nil }

func (f *Fault) meets(op operation, call Call) bool {
	if f.op != op || f.times == 0 {
		return false
	}
	if len(f.topics) > 0 {
		found := slices.ContainsFunc(append(call.others, call.Topic), func(name string) bool {
			tn, _ := wire.ParseTopic(name)
			return slices.Contains(f.topics, tn.Full) || slices.Contains(f.topics, tn.Base)
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
