package bqtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/apache/pulsar-client-go/pulsar"
)

// send is a message on its way to the broker.
type send struct {
	pp    *partitionProducer
	msg   *pulsar.ProducerMessage
	entry *entry
	reply func(pulsar.MessageID, error)
	async bool // reply is the user's and may block

	begun  bool // the broker has it, or a fault
	hold   *hold
	known  bool // the broker has answered
	stored pulsar.MessageID
	err    error
	timer  *timer
	told   bool
	ended  chan struct{} // closed when the result is known to the producer
}

// Send sends a message and waits for the broker's answer or the end of ctx.
// When ctx ends first the message may still be stored.
func (p *producer) Send(ctx context.Context, msg *pulsar.ProducerMessage) (pulsar.MessageID, error) {
	type result struct {
		id  pulsar.MessageID
		err error
	}
	results := make(chan result, 1)
	p.start(ctx, msg, false, func(id pulsar.MessageID, err error) { results <- result{id, err} })
	select {
	case r := <-results:
		return r.id, r.err
	default:
	}
	select {
	case r := <-results:
		return r.id, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// SendAsync sends a message and calls back with the broker's answer, on the
// client's connection: a callback that blocks holds up those that follow, and
// one that calls Send waits for itself until the send timeout. A message that
// is refused before it is sent is reported by the caller's goroutine.
func (p *producer) SendAsync(ctx context.Context, msg *pulsar.ProducerMessage,
	callback func(pulsar.MessageID, *pulsar.ProducerMessage, error)) {
	p.start(ctx, msg, true, func(id pulsar.MessageID, err error) {
		if callback != nil {
			callback(id, msg, err)
		}
	})
}

// start checks a message, copies it and puts it in line.
func (p *producer) start(ctx context.Context, msg *pulsar.ProducerMessage, async bool, reply func(pulsar.MessageID, error)) {
	if err := p.check(ctx, msg); err != nil {
		reply(nil, err)
		return
	}
	p.opts.Interceptors.BeforeSend(p, msg)
	e, err := p.encode(msg)
	if err != nil {
		reply(nil, err)
		return
	}
	pp := p.route(msg)
	s := &send{pp: pp, msg: msg, entry: e, reply: reply, async: async, ended: make(chan struct{})}
	for {
		p.b.lock()
		if p.closed {
			p.b.unlock()
			reply(nil, pulsar.ErrProducerClosed)
			return
		}
		if len(pp.pending) < p.opts.MaxPendingMessages {
			break
		}
		answered := pp.answered.wait()
		p.b.unlock()
		if p.opts.DisableBlockIfQueueFull {
			reply(nil, pulsar.ErrSendQueueIsFull)
			return
		}
		select {
		case <-answered:
		case <-ctx.Done():
			reply(nil, pulsar.ErrContextExpired)
			return
		}
	}
	defer p.b.unlock()
	pp.enqueue(s)
}

func (p *producer) check(ctx context.Context, msg *pulsar.ProducerMessage) error {
	switch {
	case msg == nil:
		return errors.Join(pulsar.ErrInvalidMessage, errors.New("message is nil"))
	case msg.Value != nil && msg.Payload != nil:
		return errors.Join(pulsar.ErrInvalidMessage, errors.New("can not set Value and Payload both"))
	case msg.Transaction != nil:
		return unsupported("send in a transaction")
	}
	p.b.lock()
	closed := p.closed
	p.b.unlock()
	if closed {
		return pulsar.ErrProducerClosed
	}
	return ctx.Err()
}

// encode makes the entry of a message: a copy in which nothing is shared with
// the caller.
func (p *producer) encode(msg *pulsar.ProducerMessage) (*entry, error) {
	payload := bytes.Clone(msg.Payload)
	if msg.Value != nil {
		schema := msg.Schema
		if schema == nil {
			schema = p.opts.Schema
		}
		if schema == nil {
			return nil, errors.Join(pulsar.ErrSchema, errors.New("set schema value without setting schema"))
		}
		var err error
		if payload, err = schema.Encode(msg.Value); err != nil {
			return nil, errors.Join(pulsar.ErrSchema, err)
		}
	}
	e := &entry{
		producer:    p.opts.Name,
		key:         msg.Key,
		orderingKey: msg.OrderingKey,
		properties:  maps.Clone(msg.Properties),
		payload:     payload,
		null:        msg.Value == nil && msg.Payload == nil,
		publishTime: p.b.Now(),
		eventTime:   msg.EventTime,
	}
	switch {
	case msg.DeliverAfter > 0:
		e.deliverAt = e.publishTime.Add(msg.DeliverAfter)
	case !msg.DeliverAt.IsZero() && msg.DeliverAt.UnixNano() > 0:
		e.deliverAt = msg.DeliverAt
	}
	e.batched = !p.opts.DisableBatching && e.deliverAt.IsZero()
	return e, p.checkSize(e)
}

// checkSize refuses what is over the limit. The client tells the two cases
// apart: a payload too large is ErrMessageTooLarge, a message that is too
// large only with what surrounds the payload is another error.
func (p *producer) checkSize(e *entry) error {
	limit := p.b.maxMessageSize
	switch size := len(e.payload) + e.metadataSize(); {
	case p.opts.EnableChunking:
		return nil
	case len(e.payload) > limit:
		return pulsar.ErrMessageTooLarge
	case size > limit:
		return fmt.Errorf("encryptedPayload exceeds MaxMessageSize, size: %d, MaxMessageSize: %d", size, limit)
	}
	return nil
}

// metadataSize is about what the metadata of an entry takes on the wire.
func (e *entry) metadataSize() int {
	n := 24 + len(e.producer) + len(e.key) + len(e.orderingKey)
	for k, v := range e.properties {
		n += 6 + len(k) + len(v)
	}
	return n
}

func (p *producer) route(msg *pulsar.ProducerMessage) *partitionProducer {
	i := 0
	if p.opts.MessageRouter != nil {
		i = p.opts.MessageRouter(msg, p.router)
	} else {
		p.b.lock()
		i = p.router.route(msg)
		p.b.unlock()
	}
	return p.parts[i%len(p.parts)]
}

// enqueue puts a message in line, and sends it if it is the first.
func (pp *partitionProducer) enqueue(s *send) {
	if id := s.msg.SequenceID; id != nil {
		s.entry.sequenceID = *id
	} else {
		s.entry.sequenceID = pp.nextSeq
		pp.nextSeq++
	}
	pp.pending = append(pp.pending, s)
	pp.advance()
	if !s.known {
		s.timer = pp.timeout(func() {
			pp.drop(s, pulsar.ErrSendTimeout)
			pp.advance()
			pp.p.b.notify()
		})
	}
	pp.p.b.notify()
}

// advance sends what is in line until one of them hangs or the broker is gone.
func (pp *partitionProducer) advance() {
	if pp.advances {
		return
	}
	pp.advances = true
	defer func() { pp.advances = false }()
	b := pp.p.b
	for len(pp.pending) > 0 && !b.down {
		s := pp.pending[0]
		if !s.begun {
			s.begun = true
			call := Call{Topic: pp.topic.name.full, Producer: pp.p.opts.Name, Message: s.msg}
			s.hold = b.inject(onSend, call, func() error { pp.store(s); return nil }, func(err error) {
				s.known, s.err = true, err
				pp.advance() // when released; does nothing within advance
			})
		}
		if !s.known {
			return
		}
		pp.remove(s)
		pp.answer(s)
	}
}

func (pp *partitionProducer) store(s *send) {
	pp.topic.publish(s.entry)
	s.stored = newID(pp.topic.ledger, s.entry.id, pp.index)
	pp.lastSeq = s.entry.sequenceID
}

// drop takes a message out of line and fails it. If a fault holds it before
// the broker stored it, it will not be stored.
func (pp *partitionProducer) drop(s *send, err error) {
	s.hold.cancel()
	pp.remove(s)
	s.known, s.err = true, err
	pp.answer(s)
}

func (pp *partitionProducer) remove(s *send) {
	for i, other := range pp.pending {
		if other == s {
			pp.pending = append(pp.pending[:i:i], pp.pending[i+1:]...)
			pp.answered.fire()
			return
		}
	}
}

// answer reports the result to the sender, on the client's connection. Stuck
// behind a callback that blocks, the sender sees a timeout instead.
func (pp *partitionProducer) answer(s *send) {
	p := pp.p
	close(s.ended)
	p.b.notify()
	p.b.cancel(s.timer)
	if stuck := p.cl.conn.current(); stuck != 0 {
		s.timer = pp.timeout(func() {
			if p.cl.conn.current() == stuck {
				p.b.later(func() { s.tell(pulsar.ErrSendTimeout) })
			}
		})
	}
	p.b.later(func() {
		if s.async || len(p.opts.Interceptors) > 0 {
			p.cl.conn.report(func() { s.tell(s.err) })
		} else {
			p.cl.conn.reportHere(func() { s.tell(s.err) })
		}
	})
}

// tell tells the sender, once.
func (s *send) tell(err error) {
	p := s.pp.p
	p.b.lock()
	told := s.told
	s.told = true
	p.b.cancel(s.timer)
	p.b.unlock()
	switch {
	case told:
	case err != nil:
		s.reply(nil, err)
	default:
		p.opts.Interceptors.OnSendAcknowledgement(p, s.msg, s.stored)
		s.reply(s.stored, nil)
	}
}

// timeout runs fn when the send timeout, from now, is over.
func (pp *partitionProducer) timeout(fn func()) *timer {
	if pp.p.opts.SendTimeout < 0 {
		return nil
	}
	b := pp.p.b
	return b.schedule(b.timers.current().Add(pp.p.opts.SendTimeout), fn)
}
