package bqtest

import (
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"
)

func (c *consumer) Ack(m pulsar.Message) error           { return c.AckID(m.ID()) }
func (c *consumer) AckCumulative(m pulsar.Message) error { return c.AckIDCumulative(m.ID()) }

// AckID acknowledges one message. Without AckWithResponse it returns nil before the broker has it, and so also when the
// broker never gets it. A member of a batch is confirmed at once, too: the broker hears of a batch when all members of
// one copy of it have been acknowledged.
func (c *consumer) AckID(id pulsar.MessageID) error { return c.acknowledge(id, (*consumer).ackOne) }

// AckIDCumulative acknowledges a message and all before it in its topic or partition. Shared and Key_Shared refuse it.
func (c *consumer) AckIDCumulative(id pulsar.MessageID) error {
	return c.acknowledge(id, (*consumer).ackUpTo)
}

// acknowledge sends the request that an id calls for, if any, and waits for the answer if the consumer asks for one.
func (c *consumer) acknowledge(
	id pulsar.MessageID, begin func(*consumer, pulsar.MessageID) (*pendingAck, error),
) error {
	c.b.lock()
	p, err := begin(c, id)
	c.b.unlock()
	if p == nil {
		return err
	}
	if err := p.wait(c); err != nil {
		return err
	}
	c.opts.Interceptors.OnAcknowledge(c.self, id)
	return nil
}

// pendingAck is a request on its way and the messages that it is about.
type pendingAck struct {
	*ackRequest
	targets []target
}

// send sends the request.
func (p *pendingAck) send(c *consumer, l *link) {
	p.answer = c.opts.AckWithResponse
	l.sendAck(p.ackRequest)
}

// wait waits for the answer, if there is to be one. Without it the application may acknowledge again.
func (p *pendingAck) wait(c *consumer) (err error) {
	if p.answer {
		select {
		case err = <-p.result:
		case <-c.done:
			err = errConsumerState
		}
	}
	c.b.lock()
	defer c.b.unlock()
	for _, t := range p.targets {
		if err != nil {
			t.settle(t.before)
		} else {
			t.settle(acknowledged)
		}
	}
	return err
}

func (c *consumer) ackOne(id pulsar.MessageID) (*pendingAck, error) {
	if c.closed || c.left {
		return nil, errConsumerState
	}
	t, err := c.locate(id, "acknowledge")
	if err != nil {
		return nil, err
	}
	t.settleOnce(acknowledged)
	if !t.complete() {
		return nil, nil
	}
	p := &pendingAck{&ackRequest{entries: []int64{t.entry}}, []target{t}}
	p.send(c, t.link)
	return p, nil
}

func (c *consumer) ackUpTo(id pulsar.MessageID) (*pendingAck, error) {
	switch {
	case c.closed || c.left:
		return nil, errConsumerState
	case c.sharing():
		return nil, fmt.Errorf("cumulative ack is not allowed for the Shared/KeyShared subscription type: %w",
			pulsar.ErrInvalidAck)
	}
	t, err := c.locate(id, "acknowledge")
	if err != nil {
		return nil, err
	}
	t.settle(acknowledging)
	last := t.entry
	if !t.completeUpTo() {
		last-- // the entry is not complete, those before it are
	}
	p := &pendingAck{&ackRequest{entries: []int64{last}, upTo: true}, []target{t}}
	p.send(c, t.link)
	return p, nil
}

// AckIDList acknowledges messages with one request for each topic and partition, in parallel. With AckWithResponse its
// error is a pulsar.AckError, whose keys are the ids as they were passed; ids that the client cannot assign are left
// out without an error. Without AckWithResponse there is no error, not even on a closed consumer, as in the real
// client.
func (c *consumer) AckIDList(ids []pulsar.MessageID) error {
	if !c.opts.AckWithResponse {
		for _, id := range ids {
			_ = c.AckID(id)
		}
		return nil
	}
	failed := pulsar.AckError{}
	for _, l := range c.ackList(ids) {
		err := l.wait(c)
		for _, id := range l.ids {
			if err != nil {
				failed[id] = err
			} else {
				c.opts.Interceptors.OnAcknowledge(c.self, id)
			}
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return failed
}

// pendingList is the part of AckIDList that is about one topic or partition.
type pendingList struct {
	pendingAck
	ids []pulsar.MessageID
}

// ackList sends a request per topic and partition. The client does so even if no entry is complete.
func (c *consumer) ackList(ids []pulsar.MessageID) map[*link]*pendingList {
	c.b.lock()
	defer c.b.unlock()
	lists := map[*link]*pendingList{}
	for _, id := range ids {
		t, err := c.locate(id, "acknowledge")
		if err != nil {
			continue
		}
		p := lists[t.link]
		if p == nil {
			p = &pendingList{pendingAck: pendingAck{ackRequest: &ackRequest{}}}
			lists[t.link] = p
		}
		p.ids = append(p.ids, id)
		if !c.closed && !c.left {
			t.settleOnce(acknowledged)
			p.add(t)
		}
	}
	for l, p := range lists {
		if c.closed || c.left {
			p.result = make(chan error, 1)
			p.result <- errConsumerState
			p.answer = true
			continue
		}
		p.send(c, l)
	}
	return lists
}

// add adds a message to a request.
func (p *pendingList) add(t target) {
	if t.complete() {
		p.entries = append(p.entries, t.entry)
		p.targets = append(p.targets, t)
	}
}

func (c *consumer) AckWithTxn(pulsar.Message, pulsar.Transaction) error {
	return unsupported("acknowledge in a transaction")
}
