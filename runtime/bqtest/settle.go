package bqtest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// target is what a message id means to a consumer that settles it.
type target struct {
	link     *link
	entry    int64
	delivery *delivery // nil if the id is not that of a delivery
	before   settlement
}

// locate finds what an id means to this consumer. An id that the consumer has not received is a mistake that Pulsar
// would not notice.
func (c *consumer) locate(id pulsar.MessageID, what string) (target, error) {
	if own, ok := id.(*messageID); ok {
		return c.locateDelivery(own, what)
	}
	if !wire.IsID(id) {
		c.b.violate("%s: invalid message id type %T: use the id that the client returned", what, id)
		return target{}, fmt.Errorf("invalid message id type %T", id)
	}
	if c.multi {
		return target{}, errors.New("unable to ack message because consumer is nil")
	}
	p := int(id.PartitionIdx())
	if p < 0 || p >= len(c.links) {
		return target{}, fmt.Errorf("invalid partition index %d expected a partition between [0-%d]", p, len(c.links)-1)
	}
	l := c.links[p]
	entry, found := l.topic.find(id.LedgerID(), id.EntryID())
	if !found && l.topic.name.Persistent {
		c.b.violate("%s %s: no such message in %s", what, id, l.topic.name.Full)
		return target{}, fmt.Errorf("%s %s: no such message in %s", what, id, l.topic.name.Full)
	}
	return target{link: l, entry: entry}, nil
}

func (c *consumer) locateDelivery(id *messageID, what string) (target, error) {
	d := id.d
	t := target{link: d.link, entry: d.entry.id, delivery: d, before: d.settled}
	if slices.Contains(c.links, d.link) {
		return t, nil
	}
	c.b.violate("%s %s of %s on consumer %s of subscription %s: it was received by consumer %s of subscription %s",
		what, id, d.link.topic.name.Full, c.opts.Name, c.opts.SubscriptionName,
		d.link.c.opts.Name, d.link.c.opts.SubscriptionName)
	for _, l := range c.links {
		if l.sub == d.link.sub {
			t.link = l // the broker would not mind
			return t, nil
		}
	}
	return target{}, fmt.Errorf("%s %s: not received by this consumer", what, id)
}

// complete notes that the message is acknowledged and reports whether its entry is. An id that does not know its copy
// stands for the entry.
func (t target) complete() bool { return t.delivery == nil || t.delivery.ack(t.delivery.index) }

// completeUpTo does so for the message and those before it.
func (t target) completeUpTo() bool {
	return t.delivery == nil || t.delivery.ackUpTo(t.delivery.index)
}

func (t target) settle(how settlement) {
	if t.delivery != nil {
		t.delivery.settled = how
	}
}

// settleOnce notes how a message is being settled, and reports one that had been. An acknowledgement that is not
// confirmed may be repeated.
func (t target) settleOnce(how settlement) {
	before := t.before
	if t.delivery == nil && t.link.sub.cursor.has(t.entry) {
		before = acknowledged
	}
	repeated := before == acknowledging && how == acknowledged
	if before != unsettled && !repeated {
		c := t.link.c
		c.b.violate("message %s of %s on subscription %s: %s after it had been %s",
			t.id(), t.link.topic.name.Full, c.opts.SubscriptionName, how, before)
	}
	if how == acknowledged {
		how = acknowledging
	}
	t.settle(how)
}

// id is the message's id, for reports.
func (t target) id() string {
	if t.delivery != nil {
		return t.delivery.id().String()
	}
	return fmt.Sprint("in entry ", t.entry)
}

func (s settlement) String() string {
	return [...]string{"not settled", "acknowledged", "acknowledged", "negatively acknowledged"}[s]
}
