package send

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A Callback is told the result of a message.
type Callback interface {
	Sent(id pulsar.MessageID, err error)

	// Free is called when nobody uses the message and its Item any more, if that becomes known. It must not call the
	// pool.
	Free()
}

// An Item is a message on its way. It is not copied, and used again after Reset only. Its fields are the lane's, under
// its lock, except those that never change.
type Item struct {
	// Message is set before the Item is given to a [Pool].
	Message pulsar.ProducerMessage

	lane     *lane
	callback Callback      // nil: somebody waits for done
	done     chan struct{} // closed when the result is known; nil with a callback
	nested   bool          // published by a callback
	urgent   bool          // somebody waits: it does not stay in a batch
	deadline time.Time

	intercepted bool
	finished    bool
	producer    *producer // that it is passed to
	id          pulsar.MessageID
	err         error
	marks       []*mark
	uses        int // lists that it is in, and who else will look at it

	told func(pulsar.MessageID, *pulsar.ProducerMessage, error) // confirmed; made once

	stage atomic.Int32 // see below
	full  atomic.Bool  // the client had no room for it
}

// The stages of an item. Who takes it from accepted to passed may give it to the client.
const (
	accepted int32 = iota
	passed
	withdrawn
)

// withdraw reports whether an item is still here, and keeps it from being passed to the client.
func (it *Item) withdraw() bool { return it.stage.CompareAndSwap(accepted, withdrawn) }

// Reset makes an Item that has been freed as good as new. It leaves the Message alone.
func (it *Item) Reset() {
	it.lane, it.callback, it.producer, it.id = nil, nil, nil, nil
	it.nested, it.intercepted, it.finished = false, false, false
	it.stage.Store(accepted)
}

// confirmed is called by the client, once or never.
func (it *Item) confirmed(id pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
	if err != nil && isFull(err) && !it.lane.failFast {
		it.full.Store(true) // by the goroutine that passes it to the client
		return
	}
	if errors.Is(err, pulsar.ErrMessageTooLarge) {
		// The client knows the broker's limit and does not tell.
		err = fmt.Errorf("its body has %d bytes, which is over the broker's limit for a message, 5 MiB unless set otherwise "+
			"(EnableChunking sends it in parts): %w", len(it.Message.Payload), err)
	}
	it.lane.finish(it, id, err)
}

// A mark waits for messages that were accepted before it.
type mark struct {
	left     atomic.Int64
	done     chan struct{}
	atResult bool // it does not wait for callbacks
}

func newMark(atResult bool) *mark {
	m := &mark{done: make(chan struct{}), atResult: atResult}
	m.left.Store(1) // whoever makes the mark
	return m
}

func (m *mark) reached() {
	if m.left.Add(-1) == 0 {
		close(m.done)
	}
}

// reach tells the marks of an item that its result is known, or that its callback was called.
func (it *Item) reach(called bool) {
	kept := it.marks[:0]
	for _, m := range it.marks {
		if called || m.atResult || it.callback == nil {
			m.reached()
		} else {
			kept = append(kept, m)
		}
	}
	it.marks = kept
}

// isFull reports whether the client had no room for a message.
func isFull(err error) bool {
	return errors.Is(err, pulsar.ErrSendQueueIsFull) || errors.Is(err, pulsar.ErrMemoryBufferIsFull)
}

// harmless are the errors after which a producer is as good as before. After any other the client may have forgotten
// it: then it confirms nothing more.
var harmless = []error{
	pulsar.ErrMessageTooLarge, pulsar.ErrMetaTooLarge, pulsar.ErrSendQueueIsFull, pulsar.ErrMemoryBufferIsFull,
	pulsar.ErrSchema, pulsar.ErrInvalidMessage, pulsar.ErrTransaction, pulsar.ErrContextExpired,
	pulsar.ErrFailAddToBatch, errRefused,
}

func isHarmless(err error) bool {
	for _, h := range harmless {
		if errors.Is(err, h) {
			return true
		}
	}
	return false
}
