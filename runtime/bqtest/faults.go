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

// Call is an operation that the function of [Fault.When] can inspect.
type Call struct {
	Topic        string                  // full name, with the partition if it has one
	Subscription string                  // of consumers
	Producer     string                  // name, of producers
	Message      *pulsar.ProducerMessage // of a send: the first of a batch; not to be changed

	others []string  // further topics, of a consumer that has several
	since  time.Time // when it was begun, if not now
}

// Fault makes operations fail, hang or take time. [OnSend] and its siblings choose the operations, and methods say what
// happens to them. [Broker.Fail] activates it:
//
//	f := broker.Fail(bqtest.OnSend("orders.dlq").Times(2).Err(pulsar.ErrSendTimeout))
//	...
//	if f.Hits() != 2 { ... }
//
// What happens to an operation:
//
//	.Err(err)            it does not happen; the caller gets err
//	.Applied().Err(err)  it happens, but the caller gets err
//	.Lost()              it does not happen, but the caller is told that it did
//	.Hang()              it waits, and happens on Release
//	.Hang().Err(err)     it waits, does not happen, and gets err on Release
//	.Applied().Hang()    it happens; the answer waits for Release
//	.Delay(d)            like Hang; each operation is released after d
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

// OnSend applies to the entries sent to one of the topics, or to any topic if none is given: messages, or batches of
// them. The name of a partitioned topic means its partitions. While a send hangs, later sends of the same producer to
// the same partition wait behind it, and the send timeout runs. Delays of several sends overlap.
func OnSend(topics ...string) *Fault { return newFault(onSend, topics) }

// OnAck applies to requests to acknowledge messages of the topics: one for each call of Ack or AckID, one for each
// partition of an AckIDList, none for a member of a batch while other members are not acknowledged. The client sends
// one request per partition at a time, so while one hangs or is delayed, later ones wait behind it; the client gives up
// on it after 30 s. Without AckWithResponse the consumer gets no error: the acknowledgement is lost silently, and the
// message is delivered again after the consumer has closed.
func OnAck(topics ...string) *Fault { return newFault(onAck, topics) }

// OnReceive applies to calls of Receive (and of a reader's Next) by consumers of the topics. A call that hangs
// continues on Release. Messages read from a consumer's channel are not affected.
func OnReceive(topics ...string) *Fault { return newFault(onReceive, topics) }

// OnSubscribe applies to consumers and readers that subscribe to the topics.
func OnSubscribe(topics ...string) *Fault { return newFault(onSubscribe, topics) }

// OnCreateProducer applies to producers that are created for the topics.
func OnCreateProducer(topics ...string) *Fault { return newFault(onCreateProducer, topics) }

// Times limits the fault to the next n matching operations. The default is no limit.
func (f *Fault) Times(n int) *Fault { f.times = n; return f }

// After skips the first n matching operations.
func (f *Fault) After(n int) *Fault { f.skip = n; return f }

// When limits the fault to operations for which ok returns true. ok must not call the broker or its clients.
func (f *Fault) When(ok func(Call) bool) *Fault { f.when = ok; return f }

// Err sets the error that the caller gets.
func (f *Fault) Err(err error) *Fault { f.err = err; return f }

// Applied carries out the operation although the caller gets an error, as can happen with a timeout.
func (f *Fault) Applied() *Fault { f.applied = true; return f }

// Lost does not carry out the operation although the caller is told that it succeeded. It is for acknowledgements: a
// broker confirms them before they are safe from its own crash, or from an unload at the same moment.
func (f *Fault) Lost() *Fault { f.lost = true; return f }

// Hang makes the operation wait until [Fault.Release], or until the caller gives up: its context ends, its send or
// acknowledgement times out, or it is closed.
func (f *Fault) Hang() *Fault { f.hang = true; return f }

// Delay makes the operation wait for d by the broker's clock, as with a distant or busy broker. Release also ends
// delays in progress.
func (f *Fault) Delay(d time.Duration) *Fault { f.delay = d; return f }

// Fail activates a fault and returns it. If several faults match an operation, the one activated first applies, until
// its Times are used up. Fail panics if one of the fault's topics is not the name of a topic, if it was called with
// this fault before, or if the fault is Lost for anything but acknowledgements.
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

// Hits returns the number of operations that the fault has affected.
func (f *Fault) Hits() int { return int(f.hits.Load()) }

// Held returns the number of operations that hang at the moment.
func (f *Fault) Held() int {
	if f.b == nil {
		return 0
	}
	f.b.lock()
	defer f.b.unlock()
	return len(f.held)
}

// Release lets hanging operations continue and deactivates the fault.
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

// Clear deactivates the fault. Hanging operations wait for Release.
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
