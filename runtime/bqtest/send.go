package bqtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// send is a message on its way to the broker.
type send struct {
	p         *producer
	msg       *pulsar.ProducerMessage
	content   *content
	deliverAt time.Time
	reply     func(pulsar.MessageID, error)
	async     bool // reply is the user's and may block
	told      bool
}

// Send sends a message and waits for the broker's answer or the end of ctx. When ctx ends first the message may still
// be stored. It flushes the batch that the message is in.
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

// SendAsync sends a message and calls back with the broker's answer, on the client's connection: a callback that blocks
// holds up those that follow, and one that calls Send waits for itself until the send timeout. A message that is
// refused before it is sent is reported by the caller's goroutine. Unless DisableBatching is set, the message waits for
// others to share an entry with.
func (p *producer) SendAsync(ctx context.Context, msg *pulsar.ProducerMessage,
	callback func(pulsar.MessageID, *pulsar.ProducerMessage, error)) {
	p.start(ctx, msg, true, func(id pulsar.MessageID, err error) {
		if callback != nil {
			callback(id, msg, err)
		}
	})
}

// start checks a message, copies it and puts it in line.
func (p *producer) start(
	ctx context.Context, msg *pulsar.ProducerMessage, async bool, reply func(pulsar.MessageID, error),
) {
	if err := p.check(ctx, msg); err != nil {
		reply(nil, err)
		return
	}
	p.opts.Interceptors.BeforeSend(p, msg)
	s, err := p.encode(msg)
	if err != nil {
		reply(nil, err)
		return
	}
	s.reply, s.async = reply, async
	pp := p.route(msg)
	version, err := pp.accept(msg)
	if err != nil {
		reply(nil, err)
		return
	}
	if p.batches(s) { // the client tells the version of a schema in batches only
		s.content.schema = version
	}
	if err := pp.waitForRoom(ctx); err != nil {
		reply(nil, err)
		return
	}
	defer p.b.unlock()
	switch {
	case !p.batches(s):
		pp.number(s)
		pp.enqueue(&shipment{sends: []*send{s}})
	case async:
		pp.addToBatch(s)
	default:
		pp.addToBatch(s)
		pp.flushBatch()
	}
}

// accept returns the version of the schema that a message brings, or why the topic cannot store it.
func (pp *partitionProducer) accept(msg *pulsar.ProducerMessage) ([]byte, error) {
	pp.p.b.lock()
	defer pp.p.b.unlock()
	schema := msg.Schema
	if schema == nil {
		schema = pp.p.opts.Schema
	}
	version, err := pp.topic.accept(schema)
	if err != nil {
		return nil, errors.Join(pulsar.ErrSchema, fmt.Errorf("get schema version fail, err: %w", err))
	}
	return version, nil
}

// waitForRoom waits until fewer messages are pending than may be, and leaves the broker locked unless it fails.
func (pp *partitionProducer) waitForRoom(ctx context.Context) error {
	p := pp.p
	for {
		p.b.lock()
		if p.closed || pp.closed {
			p.b.unlock()
			return pulsar.ErrProducerClosed
		}
		if pp.unanswered() < p.opts.MaxPendingMessages {
			return nil
		}
		answered := pp.answered.wait()
		p.b.unlock()
		if p.opts.DisableBlockIfQueueFull {
			return pulsar.ErrSendQueueIsFull
		}
		select {
		case <-answered:
		case <-ctx.Done():
			return pulsar.ErrContextExpired
		}
	}
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

// encode makes what the broker stores of a message: a copy in which nothing is shared with the caller.
func (p *producer) encode(msg *pulsar.ProducerMessage) (*send, error) {
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
	s := &send{p: p, msg: msg, content: &content{
		producer:    p.opts.Name,
		key:         msg.Key,
		orderingKey: msg.OrderingKey,
		properties:  maps.Clone(msg.Properties),
		payload:     payload,
		null:        msg.Value == nil && msg.Payload == nil,
		publishTime: p.b.Now(),
		eventTime:   msg.EventTime,
	}}
	switch {
	case msg.DeliverAfter > 0:
		s.deliverAt = s.content.publishTime.Add(msg.DeliverAfter)
	case !msg.DeliverAt.IsZero() && msg.DeliverAt.UnixNano() > 0:
		s.deliverAt = msg.DeliverAt
	}
	if err := p.checkSize(s.content); err != nil {
		return nil, err
	}
	return s, p.encrypt(s.content)
}

// checkSize refuses what is over the limit. The client tells the two cases apart: a payload too large is
// ErrMessageTooLarge, a message that is too large only with what surrounds the payload is another error.
func (p *producer) checkSize(m *content) error {
	limit := p.b.maxMessageSize
	switch size := m.size(); {
	case p.opts.EnableChunking:
		return nil
	case len(m.payload) > limit:
		return pulsar.ErrMessageTooLarge
	case size > limit:
		return fmt.Errorf("encryptedPayload exceeds MaxMessageSize, size: %d, MaxMessageSize: %d", size, limit)
	}
	return nil
}

// size is about what the message takes on the wire.
func (m *content) size() int {
	n := len(m.payload) + 24 + len(m.producer) + len(m.key) + len(m.orderingKey)
	for k, v := range m.properties {
		n += 6 + len(k) + len(v)
	}
	return n
}

func (p *producer) route(msg *pulsar.ProducerMessage) *partitionProducer {
	i := -1
	if p.opts.MessageRouter != nil {
		p.b.lock()
		current := p.router
		p.b.unlock()
		i = p.opts.MessageRouter(msg, current)
	}
	p.b.lock()
	defer p.b.unlock()
	if i < 0 {
		i = p.router.route(msg)
	}
	return p.parts[i%len(p.parts)]
}

// tell tells the sender, once.
func (s *send) tell(id pulsar.MessageID, err error) {
	p := s.p
	p.b.lock()
	told := s.told
	s.told = true
	p.b.unlock()
	switch {
	case told:
	case err != nil:
		s.reply(nil, err)
	default:
		p.opts.Interceptors.OnSendAcknowledgement(p, s.msg, id)
		s.reply(id, nil)
	}
}
