package bqtest

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// deadLetters is the client's own dead-letter policy at work: what was delivered too often is published to another
// topic and acknowledged, before the application sees it.
type deadLetters struct {
	one      sync.Mutex // at a time
	producer pulsar.Producer
}

// deadLetterPause is how long the client waits before it tries again to create the producer.
const deadLetterPause = 100 * time.Millisecond

// givesUp reports whether a delivery is one too many.
func (c *consumer) givesUp(d *delivery) bool {
	return c.opts.DLQ != nil && d.count >= c.opts.DLQ.MaxDeliveries
}

// giveUp moves a delivery to the dead-letter topic.
func (c *consumer) giveUp(d *delivery) {
	d.link.permits++
	d.msg = newMessage(d)
	go c.sendDeadLetter(d.msg)
}

func (c *consumer) sendDeadLetter(m *message) {
	c.letters.one.Lock()
	defer c.letters.one.Unlock()
	for c.letters.producer == nil {
		var err error
		if c.letters.producer, err = c.deadLetterProducer(); err == nil {
			break
		}
		c.letters.producer = nil
		select {
		case <-time.After(deadLetterPause):
		case <-c.done:
			return
		}
	}
	id := m.id.String()
	properties := map[string]string{
		"REAL_TOPIC": m.topic, "ORIGIN_MESSAGE_IDY_TIME": id, "ORIGIN_MESSAGE_ID": id,
	}
	maps.Copy(properties, m.properties)
	_, err := c.letters.producer.Send(context.Background(), &pulsar.ProducerMessage{
		Payload: m.payload, Key: m.Key(), OrderingKey: m.OrderingKey(), EventTime: m.EventTime(), Properties: properties,
	})
	if err != nil {
		c.NackID(m.id)
		return
	}
	_ = c.AckID(m.id)
}

// deadLetterProducer creates the producer, and the subscription that the policy asks for.
func (c *consumer) deadLetterProducer() (pulsar.Producer, error) {
	policy := c.opts.DLQ
	o := policy.ProducerOptions
	o.Topic, o.Name, o.Schema = policy.DeadLetterTopic, policy.DeadLetterTopicProducerName, c.opts.Schema
	p, err := c.cl.CreateProducer(o)
	if err != nil || policy.InitialSubscriptionName == "" {
		return p, err
	}
	c.b.lock()
	defer c.b.unlock()
	name := policy.InitialSubscriptionName
	for _, part := range p.(*producer).parts {
		if t := part.topic; t.subs[name] == nil {
			t.subs[name] = newSubscription(t, name, pulsar.Shared, true, t.first)
		}
	}
	return p, nil
}

// close closes the producer, without waiting for what is under way.
func (l *deadLetters) close() {
	go func() {
		l.one.Lock()
		defer l.one.Unlock()
		if l.producer != nil {
			l.producer.Close()
		}
	}()
}
