package bqtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// consumer is a pulsar.Consumer over one or more topics and their partitions.
type consumer struct {
	pulsar.Consumer // nil; a newer client's interface still compiles

	b     *Broker
	cl    *client
	self  pulsar.Consumer // passed to interceptors and listeners
	opts  pulsar.ConsumerOptions
	multi bool // more than one topic was asked for
	reads bool // for a reader: what is taken is acknowledged, in one step
	links []*link

	pattern *topicPattern // nil unless a pattern was asked for
	letters deadLetters

	ready   []*delivery // handed on by the client: a lost connection does not take them back
	queue   []*delivery // behind them: a lost connection does
	wake    signal      // the first message is there, or the state changed
	closed  bool
	left    bool          // unsubscribed
	done    chan struct{} // closed by Close
	ch      chan pulsar.ConsumerMessage
	pumping bool
}

func newConsumer(cl *client, opts pulsar.ConsumerOptions) *consumer {
	c := &consumer{b: cl.b, cl: cl, opts: opts, done: make(chan struct{}), ch: opts.MessageChannel}
	c.self = c
	if c.ch == nil {
		c.ch = make(chan pulsar.ConsumerMessage, 10)
	}
	return c
}

func (c *consumer) Subscription() string { return c.opts.SubscriptionName }
func (c *consumer) Name() string         { return c.opts.Name }

// Unsubscribe removes the subscription. The broker refuses while another consumer is connected to it.
func (c *consumer) Unsubscribe() error { return c.unsubscribe(false) }

// UnsubscribeForce removes the subscription and cuts off its other consumers.
func (c *consumer) UnsubscribeForce() error { return c.unsubscribe(true) }

func (c *consumer) unsubscribe(force bool) error {
	c.b.lock()
	defer c.b.unlock()
	var failed strings.Builder
	for _, l := range c.links {
		if err := l.mayUnsubscribe(force); err != nil {
			fmt.Fprintf(&failed, "topic %s, subscription %s: %s", l.topic.name.Full, c.opts.SubscriptionName, err)
		}
	}
	if failed.Len() > 0 {
		return errors.New(failed.String())
	}
	for _, l := range c.links {
		l.forgetNacks()
		for _, other := range append([]*link(nil), l.sub.links...) {
			l.sub.disconnect(other)
		}
		l.sub.remove()
	}
	c.left = true
	return nil
}

func (l *link) mayUnsubscribe(force bool) error {
	switch {
	case l.c.closed || l.c.left:
		return errConsumerState
	case l.c.b.down:
		return errConnectionClosed
	case len(l.sub.links) > 1 && !force:
		return wire.ServerError("MetadataError", "Unconnected or shared consumer attempting to unsubscribe")
	}
	return nil
}

func (c *consumer) GetLastMessageIDs() ([]pulsar.TopicMessageID, error) {
	ctx, cancel := context.WithTimeout(context.Background(), operationTimeout)
	defer cancel()
	if c.b.WaitUntil(ctx, c.b.isUp) != nil {
		return nil, fmt.Errorf("failed to getLastMessageID due to %w", errConnectionClosed)
	}
	c.b.lock()
	defer c.b.unlock()
	if c.closed || c.left {
		return nil, errors.New("failed to getLastMessageID for the closing or closed consumer")
	}
	ids := make([]pulsar.TopicMessageID, len(c.links))
	for i, l := range c.links {
		ids[i] = topicMessageID{MessageID: l.lastID(), topic: l.topic.name.Full}
	}
	return ids, nil
}

// lastID is the id of the topic's last message. In an empty topic its entry is -1.
func (l *link) lastID() pulsar.MessageID {
	if e := l.topic.last; e != nil {
		return memberID(e, len(e.members)-1, l.index)
	}
	return wire.NewID(l.topic.ledgers[0].id, -1, 0, l.index, 0)
}

// Receive waits for a message, for the end of ctx or for Close. When several hold, the consumer's end comes first and
// that of ctx second; the real client picks one at random.
func (c *consumer) Receive(ctx context.Context) (pulsar.Message, error) {
	if err := c.receiveFault(ctx); err != nil {
		return nil, err
	}
	for {
		c.b.lock()
		wake := c.wake.wait()
		switch {
		case c.closed:
			c.b.unlock()
			return nil, errConsumerClosed()
		case ctx.Err() != nil:
			c.b.unlock()
			return nil, ctx.Err()
		}
		var ch chan pulsar.ConsumerMessage
		if c.pumping {
			ch = c.ch
		} else {
			c.askForOne()
			if d := c.pop(); d != nil {
				if c.reads {
					d.read()
				}
				c.b.unlock()
				return c.open(d), nil
			}
		}
		c.b.unlock()
		select {
		case cm, ok := <-ch:
			if !ok { // a channel of the user's own, which they closed
				return nil, errConsumerClosed()
			}
			return cm.Message, nil
		case <-wake:
		case <-c.done:
		case <-ctx.Done():
		}
	}
}

// askForOne makes room for one message in a consumer without a receiver queue while somebody waits for it.
func (c *consumer) askForOne() {
	if c.opts.EnableZeroQueueConsumer && len(c.links) > 0 && c.next() == nil && c.links[0].permits < 1 {
		c.links[0].permits = 1
		c.links[0].sub.d.dispatch()
	}
}

// Chan returns the channel that messages are pushed to. Close does not close it. Once it has been called, messages flow
// into the channel, ten of them ahead of the reader.
func (c *consumer) Chan() <-chan pulsar.ConsumerMessage {
	if c.opts.EnableZeroQueueConsumer {
		panic("bqtest: Chan of a consumer without a receiver queue: the real client panics too")
	}
	c.b.lock()
	defer c.b.unlock()
	c.pump()
	return c.ch
}

// pump starts moving messages from the receiver queue to the channel.
func (c *consumer) pump() {
	if c.pumping || c.closed {
		return
	}
	c.pumping = true
	go func() {
		for {
			c.b.lock()
			if c.closed {
				c.b.unlock()
				return
			}
			wake := c.wake.wait()
			d := c.next()
			c.b.unlock()
			if d == nil {
				select {
				case <-wake:
				case <-c.done:
					return
				}
				continue
			}
			select {
			case c.ch <- pulsar.ConsumerMessage{Consumer: c.self, Message: c.open(d)}:
				c.b.lock()
				if c.next() == d {
					c.pop()
				}
				c.b.unlock()
			case <-wake:
			case <-c.done:
				return
			}
		}
	}()
}

// open makes the message of a delivery, the first time, and shows it to the interceptors. Only the one receiver of the
// delivery calls it.
func (c *consumer) open(d *delivery) *message {
	if d.msg == nil {
		d.msg = newMessage(d)
		c.opts.Interceptors.BeforeConsume(pulsar.ConsumerMessage{Consumer: c.self, Message: d.msg})
	}
	return d.msg
}

// Close returns unacknowledged messages to the subscription. Negative acknowledgements that were not due yet are
// dropped.
func (c *consumer) Close() {
	if c.leave() {
		c.opts.Interceptors.OnConsumerClose(c.self, nil)
	}
}

// leave closes the consumer. It reports whether the consumer was open.
func (c *consumer) leave() bool {
	c.b.lock()
	defer c.b.unlock()
	if c.closed {
		return false
	}
	c.closed = true
	for _, l := range c.links {
		l.forgetNacks()
		l.sub.disconnect(l)
		l.sub.removeIfIdle()
	}
	c.ready, c.queue = nil, nil
	close(c.done)
	c.wake.fire()
	delete(c.cl.parts, c)
	if c.opts.DLQ != nil {
		c.letters.close()
	}
	c.b.notify()
	return true
}

// ReconsumeLater needs the client's retry topics, which this broker does not have. It returns nothing, so it panics. So
// does the real client without RetryEnable.
func (c *consumer) ReconsumeLater(pulsar.Message, time.Duration) {
	panic("bqtest: ReconsumeLater: " + ErrNotSupported.Error())
}

// ReconsumeLaterWithCustomProperties panics like ReconsumeLater.
func (c *consumer) ReconsumeLaterWithCustomProperties(pulsar.Message, map[string]string, time.Duration) {
	panic("bqtest: ReconsumeLaterWithCustomProperties: " + ErrNotSupported.Error())
}
