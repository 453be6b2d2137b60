package bqtest

import (
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"
)

func (c *consumer) Ack(m pulsar.Message) error { return c.AckID(m.ID()) }

// AckID acknowledges one message. Without AckWithResponse it returns nil
// before the broker has it, and so also when the broker never gets it.
func (c *consumer) AckID(id pulsar.MessageID) error {
	err := c.acknowledge(id, "acknowledge", c.ackOne)
	if err == nil {
		c.opts.Interceptors.OnAcknowledge(c.self, id)
	}
	return err
}

func (c *consumer) ackOne(l *link, d *delivery, entry int64) (act func(), undo func()) {
	if d == nil {
		if l.sub.cursor.has(entry) {
			c.b.violate("%s: acknowledged twice", c.describe(l, entry))
		}
		return func() { l.sub.ack(entry) }, func() {}
	}
	before := d.settled
	switch before {
	case acknowledged:
		c.b.violate("%s: acknowledged twice", c.describe(l, entry))
	case negativelyAcknowledged:
		c.b.violate("%s: acknowledged after it had been negatively acknowledged", c.describe(l, entry))
	}
	d.settled = acknowledged
	return func() { l.sub.ack(entry) }, func() { d.settled = before }
}

// AckIDList acknowledges messages. With AckWithResponse its error is a
// pulsar.AckError; without it there is none, not even on a closed consumer, as
// in the real client.
func (c *consumer) AckIDList(ids []pulsar.MessageID) error {
	failed := pulsar.AckError{}
	for _, id := range ids {
		if err := c.AckID(id); err != nil && c.opts.AckWithResponse {
			failed[id] = err
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return failed
}

func (c *consumer) AckCumulative(m pulsar.Message) error { return c.AckIDCumulative(m.ID()) }

// AckIDCumulative acknowledges a message and all before it in its topic or
// partition. Shared and Key_Shared refuse it.
func (c *consumer) AckIDCumulative(id pulsar.MessageID) error {
	err := c.acknowledge(id, "acknowledge cumulatively", c.ackUpTo)
	if err == nil {
		c.opts.Interceptors.OnAcknowledge(c.self, id)
	}
	return err
}

func (c *consumer) ackUpTo(l *link, d *delivery, entry int64) (act func(), undo func()) {
	if d != nil {
		d.settled = acknowledged
	}
	return func() { l.sub.ackUpTo(entry) }, func() {}
}

func (c *consumer) AckWithTxn(pulsar.Message, pulsar.Transaction) error {
	return unsupported("acknowledge in a transaction")
}

// acknowledge finds what the id means, and has the acknowledgement made under
// the faults in force.
func (c *consumer) acknowledge(id pulsar.MessageID, what string,
	prepare func(*link, *delivery, int64) (act, undo func())) error {
	c.b.lock()
	if c.closed || c.left {
		c.b.unlock()
		return errConsumerState
	}
	l, d, entry, err := c.locate(id, what)
	if err == nil && what != "acknowledge" && l.sharing() {
		err = fmt.Errorf("cumulative ack is not allowed for the Shared/KeyShared subscription type: %w", pulsar.ErrInvalidAck)
	}
	if err != nil {
		c.b.unlock()
		return err
	}
	act, undo := prepare(l, d, entry)
	result := make(chan error, 1)
	if c.b.down {
		result <- errConnectionClosed
	} else {
		call := Call{Topic: l.topic.name.full, Subscription: c.opts.SubscriptionName}
		c.b.inject(onAck, call, func() error { act(); return nil }, func(err error) { result <- err })
	}
	c.b.unlock()
	if !c.opts.AckWithResponse {
		return nil
	}
	select {
	case err = <-result:
	case <-c.done:
		err = errConsumerState
	}
	if err != nil {
		// The application knows that it is not acknowledged and may try again.
		c.b.lock()
		undo()
		c.b.unlock()
	}
	return err
}

// locate finds the link and the entry that an id means to this consumer. An id
// that it has not received is a mistake that Pulsar would not notice.
func (c *consumer) locate(id pulsar.MessageID, what string) (*link, *delivery, int64, error) {
	if own, ok := id.(*messageID); ok {
		for _, l := range c.links {
			if l == own.d.link {
				return l, own.d, own.EntryID(), nil
			}
		}
		c.b.violate("%s %s of %s on consumer %s: it was received by consumer %s of subscription %s",
			what, id, own.d.link.topic.name.full, c.opts.Name, own.d.link.c.opts.Name, own.d.link.c.opts.SubscriptionName)
		for _, l := range c.links {
			if l.sub == own.d.link.sub {
				return l, own.d, own.EntryID(), nil
			}
		}
		return nil, nil, 0, fmt.Errorf("%s %s: not received by this consumer", what, id)
	}
	if !isClientID(id) {
		c.b.violate("%s: invalid message id type %T", what, id)
		return nil, nil, 0, fmt.Errorf("invalid message id type %T", id)
	}
	if c.multi {
		return nil, nil, 0, fmt.Errorf("unable to %s message because consumer is nil", what)
	}
	p := int(id.PartitionIdx())
	if p < 0 || p >= len(c.links) {
		return nil, nil, 0, fmt.Errorf("invalid partition index %d expected a partition between [0-%d]", p, len(c.links)-1)
	}
	l := c.links[p]
	if id.LedgerID() != l.topic.ledger || id.EntryID() < 0 || id.EntryID() >= l.topic.end() {
		c.b.violate("%s %s: no such message in %s", what, id, l.topic.name.full)
		return nil, nil, 0, fmt.Errorf("%s %s: no such message in %s", what, id, l.topic.name.full)
	}
	return l, nil, id.EntryID(), nil
}

func (c *consumer) describe(l *link, entry int64) string {
	return fmt.Sprintf("message %s of %s on subscription %s", newID(l.topic.ledger, entry, l.index),
		l.topic.name.full, c.opts.SubscriptionName)
}
