package bqtest

import (
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// subscription is a cursor on a topic and the consumers that share it.
type subscription struct {
	t       *topic
	name    string
	durable bool
	typ     pulsar.SubscriptionType
	cursor  cursor
	links   []*link // consumers, connected, in the order they came
	d       dispatcher
	acked   int     // messages acknowledged so far
	lost    []*link // to be connected again
	moving  bool    // several consumers are going or coming: the active one is chosen after the last
}

// dispatcher decides which consumer gets which entry. There is one kind for the types with a single active consumer and
// one for those that share.
type dispatcher interface {
	// attach and detach follow a consumer that was added to or removed from the subscription's links.
	attach(*link)
	detach(*link)
	// dispatch hands out what can be handed out.
	dispatch()
	// redeliver takes back entries that the consumer negatively acknowledged.
	redeliver(*link, int64)
	// forget drops what is known of an entry that has been acknowledged.
	forget(int64)
	// rewind starts over at the cursor.
	rewind()
	// pass hands out an entry of a non-persistent topic, if a consumer has room for it.
	pass(*entry)
	// unacked counts the messages handed out and not acknowledged.
	unacked() int
}

// subscribe returns the topic's subscription of that name. It makes the subscription if need be, at the start position.
// It does not check for consumers: see admit.
func (t *topic) subscribe(l *link, start func(*topic) int64) *subscription {
	name := l.c.opts.SubscriptionName
	if t.subs[name] == nil {
		t.subs[name] = newSubscription(t, name, l.c.opts.Type, l.c.opts.SubscriptionMode == pulsar.Durable, start(t))
	}
	return t.subs[name]
}

func newSubscription(t *topic, name string, typ pulsar.SubscriptionType, durable bool, start int64) *subscription {
	s := &subscription{t: t, name: name, durable: durable, cursor: cursor{t: t}}
	s.cursor.reset(start)
	s.setType(typ)
	return s
}

func (s *subscription) setType(typ pulsar.SubscriptionType) {
	s.typ = typ
	switch typ {
	case pulsar.Shared:
		s.d = newSharedDispatcher(s, nil)
	case pulsar.KeyShared:
		s.d = newSharedDispatcher(s, newKeyOwners())
	default:
		s.d = newSingleDispatcher(s)
	}
}

// admit refuses a consumer that the subscription cannot have in addition to the consumers it has.
func (s *subscription) admit(typ pulsar.SubscriptionType) error {
	switch {
	case len(s.links) == 0:
		return nil
	case s.typ != typ:
		return wire.ServerError("ConsumerBusy", fmt.Sprintf(
			"Subscription is of different type. Active subscription type of '%s' "+
				"is different than the connecting consumer's type '%s'.", typeName(s.typ), typeName(typ)))
	case typ == pulsar.Exclusive:
		return wire.ServerError("ConsumerBusy", "Exclusive consumer is already connected")
	}
	return nil
}

func typeName(typ pulsar.SubscriptionType) string {
	switch typ {
	case pulsar.Shared:
		return "Shared"
	case pulsar.Failover:
		return "Failover"
	case pulsar.KeyShared:
		return "Key_Shared"
	}
	return "Exclusive"
}

// connect adds a consumer that was admitted.
func (s *subscription) connect(l *link) {
	if len(s.links) == 0 && s.typ != l.c.opts.Type {
		s.setType(l.c.opts.Type)
	}
	l.sub = s
	l.connected = true
	l.permits = l.c.opts.ReceiverQueueSize
	l.unacked, l.blocked = 0, false
	s.links = append(s.links, l)
	s.d.attach(l)
	l.advanceAcks()
	s.d.dispatch()
	l.c.wake.fire() // without a queue, a waiting Receive has to ask again
	s.t.b.notify()
}

// disconnect removes a consumer. What it had been sent and not acknowledged goes back, prefetched or in the hands of a
// handler.
func (s *subscription) disconnect(l *link) {
	if !l.connected {
		return
	}
	l.connected = false
	for i, other := range s.links {
		if other == l {
			s.links = append(s.links[:i:i], s.links[i+1:]...)
			break
		}
	}
	l.c.discard(l)
	s.d.detach(l)
	s.d.dispatch()
	s.t.b.notify()
}

// removeIfIdle ends a non-durable subscription that has no consumer.
func (s *subscription) removeIfIdle() {
	if !s.durable && len(s.links) == 0 && len(s.lost) == 0 && s.t.subs[s.name] == s {
		s.remove()
	}
}

func (s *subscription) remove() {
	delete(s.t.subs, s.name)
	s.t.trim()
	s.t.b.notify()
}

// ack acknowledges one entry. Call acknowledged when all of a request are.
func (s *subscription) ack(id int64) {
	if e := s.t.at(id); e != nil {
		for _, part := range e.parts {
			s.cursor.ack(part)
		}
	}
	s.acked += s.cursor.ack(id)
	s.d.forget(id)
}

// acknowledged follows what has been acknowledged: a key may be free for its next consumer, a consumer may have room
// for more messages, and an entry may no longer be needed.
func (s *subscription) acknowledged() {
	s.d.dispatch()
	s.t.trim()
	s.t.b.notify()
}

// ackUpTo acknowledges an entry and all before it.
func (s *subscription) ackUpTo(id int64) {
	for i := s.cursor.mark; i <= id; i++ {
		s.acked += s.cursor.ack(i)
	}
}

// seek moves the cursor. Consumers lose what they had been sent, as after a lost connection.
func (s *subscription) seek(id int64) {
	s.cursor.reset(id)
	for _, l := range s.links {
		l.c.discard(l)
		l.last = nil
		l.permits = l.c.opts.ReceiverQueueSize
		l.unacked, l.blocked = 0, false
		l.beginReconnect()
		s.t.b.later(l.reconnecting.succeed)
	}
	s.d.rewind()
	s.d.dispatch()
	s.t.b.notify()
}
