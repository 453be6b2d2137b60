package bqtest

import (
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

// enqueue puts an entry in line, and sends it if it is the first.
func (pp *partitionProducer) enqueue(s *shipment) {
	s.ended = make(chan struct{})
	s.sentAt = pp.p.b.timers.current()
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
			call := Call{Topic: pp.topic.name.full, Producer: pp.p.opts.Name, Message: s.sends[0].msg}
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

func (pp *partitionProducer) store(s *shipment) {
	e := &entry{batched: s.batched, deliverAt: s.sends[0].deliverAt}
	for _, m := range s.sends {
		e.members = append(e.members, m.content)
	}
	pp.topic.publish(e)
	s.stored = e
	pp.lastSeq = e.first().sequenceID
}

// drop takes an entry out of line and fails it. If a fault holds it before the broker stored it, it will not be
// stored.
func (pp *partitionProducer) drop(s *shipment, err error) {
	s.hold.cancel()
	pp.remove(s)
	s.known, s.err = true, err
	pp.answer(s)
}

func (pp *partitionProducer) remove(s *shipment) {
	for i, other := range pp.pending {
		if other == s {
			pp.pending = append(pp.pending[:i:i], pp.pending[i+1:]...)
			pp.answered.fire()
			return
		}
	}
}

// answer reports the result to the senders, on the client's connection. Stuck behind a callback that blocks, they see
// a timeout instead.
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
