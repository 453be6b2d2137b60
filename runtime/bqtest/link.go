package bqtest

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// link connects a consumer to the subscription of one topic or partition.
type link struct {
	c         *consumer
	topic     *topic
	index     int32 // of the partition among the consumer's
	sub       *subscription
	connected bool
	permits   int // how many more deliveries the consumer has room for
	nacks     map[int64]*timer
}

// deliver puts an entry into the consumer's receiver queue. The real client
// takes an empty payload outside of a batch for a corrupted message, and
// acknowledges it without showing it to anybody.
func (l *link) deliver(e *entry, count uint32) {
	if len(e.payload) == 0 && !e.null && !e.batched {
		l.sub.discard(e.id)
		return
	}
	l.permits--
	l.c.push(&delivery{link: l, entry: e, count: count})
}

// clear empties the receiver queue of what came through this link.
func (l *link) clear() { l.c.discard(l) }

// nack schedules a redelivery. A second one for the same entry replaces the
// first.
func (l *link) nack(e int64, delay time.Duration) {
	b := l.c.b
	b.cancel(l.nacks[e])
	l.nacks[e] = b.schedule(b.timers.current().Add(delay), func() { l.redeliver(e) })
	if delay <= 0 {
		b.cancel(l.nacks[e])
		l.redeliver(e)
	}
}

// redeliver asks the broker for an entry again. On a subscription with one
// active consumer that brings everything unacknowledged, so what else would be
// asked for in the same tick of the client's nack tracker is covered.
func (l *link) redeliver(e int64) {
	b := l.c.b
	delete(l.nacks, e)
	ids := []pulsar.MessageID{newID(l.topic.ledger, e, l.index)}
	if !l.sharing() {
		until := b.timers.current().Add(l.c.nackPrecision())
		for other, t := range l.nacks {
			if !t.at.After(until) {
				b.cancel(t)
				delete(l.nacks, other)
				ids = append(ids, newID(l.topic.ledger, other, l.index))
			}
		}
	}
	if !l.connected {
		return // the lost connection has returned it already
	}
	l.sub.d.redeliver(l, e)
	l.sub.d.dispatch()
	b.notify()
	b.later(func() { l.c.opts.Interceptors.OnNegativeAcksSend(l.c.self, ids) })
}

func (l *link) sharing() bool {
	return l.c.opts.Type == pulsar.Shared || l.c.opts.Type == pulsar.KeyShared
}

// forgetNacks drops pending redeliveries, as closing a consumer does: the
// closed connection has returned the messages at once.
func (l *link) forgetNacks() {
	for _, t := range l.nacks {
		l.c.b.cancel(t)
	}
	clear(l.nacks)
}

// listen tells the consumer's event listener, once the lock is free.
func (l *link) listen(event func(pulsar.ConsumerEventListener, pulsar.Consumer, string, int32)) {
	if listener := l.c.opts.EventListener; listener != nil && l.c.opts.Type == pulsar.Failover {
		l.c.b.later(func() { event(listener, l.c.self, l.topic.name.full, l.index) })
	}
}
