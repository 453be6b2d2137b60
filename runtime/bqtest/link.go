package bqtest

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// link connects a consumer to the subscription of one topic or partition.
type link struct {
	c         *consumer
	topic     *topic
	index     int32 // of the partition among the consumer's
	sub       *subscription
	connected bool
	permits   int  // how many more messages the consumer has asked for
	unacked   int  // messages it holds, on Shared and Key_Shared
	blocked   bool // it holds too many of them
	nacks     map[nackKey]*timer
	acks      ackLine
	last      *delivery // that a reader has returned

	reconnecting *reconnect // the last time
}

// deliver puts the messages of an entry into the consumer's receiver queue. The whole entry is sent, whatever the
// permits.
func (l *link) deliver(e *entry, count uint32) {
	if e.swallowed() {
		l.sub.ack(e.id)
		return
	}
	var plain [][]byte
	if e.sealed() {
		var ok bool
		if plain, ok = l.c.decrypt(e); !ok {
			l.deliverSealed(e, count)
			return
		}
	}
	sent := &copyOf{link: l, entry: e, count: count}
	if len(e.members) > 1 {
		sent.open = map[int]bool{}
		for i := range e.members {
			sent.open[i] = true
		}
	}
	l.permits -= len(e.members)
	for i := range e.members {
		if l.hasRead(e, i) {
			sent.ack(i)
			l.permits++
			continue
		}
		d := &delivery{copyOf: sent, index: i, payload: e.members[i].payload}
		if plain != nil {
			d.payload = plain[i]
		}
		l.c.push(d)
	}
}

// hasRead reports whether a reader has returned the message before its connection was lost. It goes on within a batch.
func (l *link) hasRead(e *entry, index int) bool {
	return l.last != nil && l.last.entry == e && index <= l.last.index
}

// hasRoom reports whether the broker sends the consumer more.
func (l *link) hasRoom() bool { return l.permits > 0 && !l.blocked }

// nackKey is an entry to be asked for again and the tick of the client's tracker in which it is. An entry asked for in
// the same tick twice comes once.
type nackKey struct {
	entry, tick int64
}

// nack schedules a redelivery.
func (l *link) nack(e int64, delay time.Duration) {
	b := l.c.b
	at := b.timers.current().Add(delay)
	key := nackKey{e, at.UnixMilli() / l.c.nackPrecision().Milliseconds()}
	b.cancel(l.nacks[key])
	l.nacks[key] = b.schedule(at, func() { l.redeliver(key) })
	if delay <= 0 {
		b.cancel(l.nacks[key])
		l.redeliver(key)
	}
}

// redeliver asks the broker for an entry again. On a subscription with one active consumer that brings everything
// unacknowledged, so what else would be asked for in the same tick of the client's tracker is covered.
func (l *link) redeliver(key nackKey) {
	b := l.c.b
	delete(l.nacks, key)
	ids := []pulsar.MessageID{l.nackedID(key.entry)}
	if !l.sharing() {
		until := b.timers.current().Add(l.c.nackPrecision())
		for other, t := range l.nacks {
			if !t.at.After(until) {
				b.cancel(t)
				delete(l.nacks, other)
				ids = append(ids, l.nackedID(other.entry))
			}
		}
	}
	if !l.connected {
		return // the lost connection has returned it already
	}
	l.sub.d.redeliver(l, key.entry)
	l.sub.d.dispatch()
	b.notify()
	b.later(func() { l.c.opts.Interceptors.OnNegativeAcksSend(l.c.self, ids) })
}

// nackedID is the id under which the client asks for an entry again: that of its first message.
func (l *link) nackedID(entry int64) pulsar.MessageID {
	if e := l.topic.at(entry); e != nil {
		return wire.NewID(e.ledger, e.number, 0, l.index, 0)
	}
	return wire.NewID(0, 0, 0, l.index, 0) // acknowledged since, and no longer kept
}

func (l *link) sharing() bool { return l.c.sharing() }

func (c *consumer) sharing() bool {
	return c.opts.Type == pulsar.Shared || c.opts.Type == pulsar.KeyShared
}

// forgetNacks drops pending redeliveries, as closing a consumer does: the closed connection has returned the messages
// at once.
func (l *link) forgetNacks() {
	for _, t := range l.nacks {
		l.c.b.cancel(t)
	}
	clear(l.nacks)
}
