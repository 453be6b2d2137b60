package bqtest

import (
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// shipment is one entry on its way to the broker: a message, or a batch of them.
type shipment struct {
	sends   []*send
	batched bool
	sentAt  time.Time

	begun  bool // the broker has it, or a fault
	hold   *hold
	known  bool // the broker has answered
	stored *entry
	err    error
	timer  *timer
	ended  chan struct{} // closed when the result is known to the producer
}

// number gives a message its sequence id.
func (pp *partitionProducer) number(s *send) {
	if id := s.msg.SequenceID; id != nil {
		s.content.sequenceID = *id
		return
	}
	s.content.sequenceID = pp.nextSeq
	pp.nextSeq++
}

// unanswered counts the messages that wait in a batch or for the broker's answer.
func (pp *partitionProducer) unanswered() int {
	n := len(pp.batch.sends)
	for _, s := range pp.pending {
		n += len(s.sends)
	}
	return n
}

// enqueue puts an entry in line, and sends it if it is the first. The broker looks at its size and delay as soon as it
// has it, before it has stored those ahead of it.
func (pp *partitionProducer) enqueue(s *shipment) {
	b := pp.p.b
	s.ended = make(chan struct{})
	s.sentAt = b.timers.current()
	pp.pending = append(pp.pending, s)
	switch {
	case pp.unknown || b.down && pp.deaf:
		// It does not arrive.
	case !b.down && pp.topic.refuses(s):
		pp.deaf = true
	default:
		pp.line = append(pp.line, s)
	}
	pp.advance()
	if !s.known {
		s.timer = pp.timeout(func() {
			pp.drop(s, pulsar.ErrSendTimeout)
			pp.advance()
			b.notify()
		})
	}
	b.notify()
}

// advance sends what is in line until one of them hangs or the broker is gone.
func (pp *partitionProducer) advance() {
	if pp.advances {
		return
	}
	pp.advances = true
	defer func() { pp.advances = false }()
	for len(pp.line) > 0 && !pp.p.b.down {
		s := pp.line[0]
		if !s.begun && pp.topic.refuses(s) { // it waited for the broker to come back
			pp.deaf = true
			pp.line = pp.line[1:]
			continue
		}
		if !s.begun {
			pp.begin(s)
		}
		if !s.known {
			return
		}
		pp.line = pp.line[1:]
		if pp.deaf {
			s.known = false // as far as the client knows
			continue
		}
		pp.remove(s)
		pp.answer(s)
	}
}

// begin hands an entry to the broker, under the faults in force.
func (pp *partitionProducer) begin(s *shipment) {
	s.begun = true
	call := Call{Topic: pp.topic.name.Full, Producer: pp.p.opts.Name, Message: s.sends[0].msg, since: s.sentAt}
	s.hold = pp.p.b.inject(onSend, call, func() error { pp.store(s); return nil }, func(err error) {
		s.known, s.err = true, err
		pp.advance() // when released; does nothing within advance
	})
}

// disconnect handles the loss of the broker's end. The client reconnects a producer, unless it has dropped it, and
// sends again what was not confirmed: the broker then stores twice what it had stored already.
func (pp *partitionProducer) disconnect() {
	switch {
	case pp.deaf:
		pp.unknown = true
		pp.line = nil
	case len(pp.line) > 0 && pp.line[0].begun && !pp.line[0].known:
		pp.line[0].hold.cancel()
		pp.line[0].begun = false
	}
}

// close fails the sends that are not confirmed and refuses new ones. Messages that wait in a batch are dropped.
func (pp *partitionProducer) close(err error) {
	pp.closed = true
	pp.p.b.cancel(pp.batch.timer)
	pp.batch = batch{}
	for len(pp.pending) > 0 {
		pp.drop(pp.pending[0], err)
	}
	pp.answered.fire()
}

func (pp *partitionProducer) store(s *shipment) {
	e := &entry{batched: s.batched, deliverAt: s.sends[0].deliverAt}
	for _, m := range s.sends {
		e.members = append(e.members, m.content)
	}
	for range pp.p.chunks(s) - 1 {
		part := &entry{}
		pp.topic.publish(part)
		e.parts = append(e.parts, part.id)
	}
	pp.topic.publish(e)
	s.stored = e
	pp.lastSeq = e.first().sequenceID
}

// drop takes an entry out of line and fails it. If a fault holds it before the broker stored it, it will not be stored.
func (pp *partitionProducer) drop(s *shipment, err error) {
	s.hold.cancel()
	pp.remove(s)
	s.known, s.err = true, err
	pp.answer(s)
}

func (pp *partitionProducer) remove(s *shipment) {
	same := func(other *shipment) bool { return other == s }
	pp.line = slices.DeleteFunc(slices.Clone(pp.line), same)
	pp.pending = slices.DeleteFunc(slices.Clone(pp.pending), same)
	pp.answered.fire()
}

// answer reports the result to the senders, on the client's connection. Stuck behind a callback that blocks, they see a
// timeout instead.
func (pp *partitionProducer) answer(s *shipment) {
	p := pp.p
	close(s.ended)
	p.b.notify()
	p.b.cancel(s.timer)
	if stuck := p.cl.conn.current(); stuck != 0 {
		s.timer = pp.timeout(func() {
			if p.cl.conn.current() == stuck {
				p.b.later(func() { pp.tell(s, pulsar.ErrSendTimeout) })
			}
		})
	}
	async := len(p.opts.Interceptors) > 0
	for _, m := range s.sends {
		async = async || m.async
	}
	p.b.later(func() {
		if async {
			p.cl.conn.report(func() { pp.tell(s, s.err) })
		} else {
			p.cl.conn.reportHere(func() { pp.tell(s, s.err) })
		}
	})
}

// tell tells the senders.
func (pp *partitionProducer) tell(s *shipment, err error) {
	b := pp.p.b
	b.lock()
	b.cancel(s.timer)
	b.unlock()
	for i, m := range s.sends {
		var id pulsar.MessageID
		if s.stored != nil {
			id = memberID(s.stored, i, pp.index)
		}
		m.tell(id, err)
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

// chunks is how many entries a message takes. The chunks of a message are delivered, acknowledged and given back
// together, so that only the last one holds the message.
func (p *producer) chunks(s *shipment) int {
	if !p.opts.EnableChunking || s.batched {
		return 1
	}
	m := s.sends[0].content
	most := p.b.maxMessageSize - (m.size() - len(m.payload))
	if limit := int(p.opts.ChunkMaxMessageSize); limit > 0 {
		most = min(most, limit)
	}
	most = max(most, 1)
	return max(1, (len(m.payload)+most-1)/most)
}
