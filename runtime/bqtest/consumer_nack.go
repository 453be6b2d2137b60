package bqtest

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// Nack makes the broker deliver the message again after a delay: the one that the backoff policy returns for its
// redelivery count or, without a policy, NackRedeliveryDelay. It does nothing on a closed consumer.
func (c *consumer) Nack(m pulsar.Message) {
	if policy := c.opts.NackBackoffPolicy; policy != nil {
		c.nack(m.ID(), policy.Next(m.RedeliveryCount()))
		return
	}
	c.NackID(m.ID())
}

// NackID makes the broker deliver the message again. An id has no redelivery count, so the delay is always the policy's
// first.
func (c *consumer) NackID(id pulsar.MessageID) { c.nack(id, c.nackDelay()) }

// nackDelay is the delay of a negative acknowledgement whose redelivery count the client does not look at.
func (c *consumer) nackDelay() time.Duration {
	if policy := c.opts.NackBackoffPolicy; policy != nil {
		return policy.Next(1)
	}
	return c.opts.NackRedeliveryDelay
}

func (c *consumer) nack(id pulsar.MessageID, delay time.Duration) {
	c.b.lock()
	defer c.b.unlock()
	if c.closed || c.left {
		return
	}
	t, err := c.locate(id, "negatively acknowledge")
	if err != nil {
		return
	}
	t.settleOnce(negativelyAcknowledged)
	t.link.nack(t.entry, delay)
	c.b.notify()
}

// nackPrecision is how far apart two redeliveries may lie and still be asked for together.
func (c *consumer) nackPrecision() time.Duration {
	bits := int64(8)
	if c.opts.NackPrecisionBit != nil {
		bits = min(*c.opts.NackPrecisionBit, 40)
	}
	return time.Duration(1<<bits) * time.Millisecond
}

// defaultNackBackoff is the client's own policy, and as wrong as it: one second doubled per redelivery, ten minutes at
// most, until the doubling overflows and most delays are negative, which is at once.
type defaultNackBackoff struct{}

func (defaultNackBackoff) Next(count uint32) time.Duration {
	const most = 10 * time.Minute
	delay := time.Second << count
	if delay == 0 {
		return most
	}
	return min(delay, most)
}
