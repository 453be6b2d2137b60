package bqtest

import (
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"
)

func (c *consumer) Ack(m pulsar.Message) error           { return c.AckID(m.ID()) }
func (c *consumer) AckCumulative(m pulsar.Message) error { return c.AckIDCumulative(m.ID()) }

// AckID acknowledges one message. Without AckWithResponse it returns nil
// before the broker has it, and so also when the broker never gets it.
func (c *consumer) AckID(id pulsar.MessageID) error { return c.acknowledge(id, false) }

// AckIDCumulative acknowledges a message and all before it in its topic or
// partition. Shared and Key_Shared refuse it.
func (c *consumer) AckIDCumulative(id pulsar.MessageID) error { return c.acknowledge(id, true) }

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

func (c *consumer) AckWithTxn(pulsar.Message, pulsar.Transaction) error {
	return unsupported("acknowledge in a transaction")
}

func (c *consumer) acknowledge(id pulsar.MessageID, cumulative bool) error {
	t, result, err := c.sendAck(id, cumulative)
	if err == nil && c.opts.AckWithResponse {
		select {
		case err = <-result:
		case <-c.done:
			err = errConsumerState
		}
		if err != nil {
			// The application knows that it is not done and may try again.
			c.b.lock()
			t.restore()
			c.b.unlock()
		}
	}
	if err == nil {
		c.opts.Interceptors.OnAcknowledge(c.self, id)
	}
	return err
}

// sendAck finds what the id means and sends the acknowledgement, under the
// faults in force.
func (c *consumer) sendAck(id pulsar.MessageID, cumulative bool) (target, <-chan error, error) {
	c.b.lock()
	defer c.b.unlock()
	if c.closed || c.left {
		return target{}, nil, errConsumerState
	}
	if cumulative && c.links[0].sharing() {
		return target{}, nil, fmt.Errorf("cumulative ack is not allowed for the Shared/KeyShared subscription type: %w",
			pulsar.ErrInvalidAck)
	}
	t, err := c.locate(id, "acknowledge")
	if err != nil {
		return target{}, nil, err
	}
	act := t.ackOne
	if cumulative {
		act = t.ackAll
		t.settle(acknowledged)
	} else {
		t.settleOnce(acknowledged)
	}
	result := make(chan error, 1)
	if c.b.down {
		result <- errConnectionClosed
		return t, result, nil
	}
	call := Call{Topic: t.link.topic.name.full, Subscription: c.opts.SubscriptionName}
	c.b.inject(onAck, call, act, func(err error) { result <- err })
	return t, result, nil
}
