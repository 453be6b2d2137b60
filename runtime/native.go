package bq

import (
	"context"
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// native returns Pulsar's own dead-letter policy of a queue, or nil.
func (q *consumedQueue) native() *pulsar.DLQPolicy {
	if q.source.Template == nil {
		return nil
	}
	return q.source.Template.DLQ
}

// nativePolicy completes Pulsar's own dead-letter policy, which WithConsumerOptions has set, and notes why it cannot
// be: either this package or the Pulsar client gives a message up, never both.
func (c *consumerConfig) nativePolicy(q *consumedQueue, o *pulsar.ConsumerOptions, r *refusals) error {
	p := o.DLQ
	r.add(!flow.Shares(o.Type), "DLQ",
		"Pulsar counts redeliveries on Shared and Key_Shared only: use WithSubscriptionType, or the queue's own dead letters")
	r.add(q.DeadLetterTopic != "" || c.own.deadLetter != nil, "DLQ", fmt.Sprintf(
		"dead letters of the queue go to %s, those of the policy to %s: leave DLQ out, or say dead_letter: false",
		shownTopic(q.DeadLetterTopic), shownTopic(p.DeadLetterTopic)))
	r.add(c.service.name != "", "DLQ", "a service has retries and dead letters of its own")
	r.add(c.onExhausted != nil, "DLQ", "WithOnExhausted gets what cannot be handled: take one of them")
	r.add(c.own.retry != nil, "DLQ", "WithRetryProducer publishes retries, and Pulsar would not count them")
	r.add(p.MaxDeliveries == 0, "DLQ", "MaxDeliveries is 0, want at least 1")
	r.add(p.DeadLetterTopic == "", "DLQ", "it has no DeadLetterTopic")
	attempts := q.MaxAttempts
	if c.attemptsGiven {
		attempts = c.maxAttempts
	}
	r.add(attempts != 0 && int64(attempts) != int64(p.MaxDeliveries), "DLQ", fmt.Sprintf(
		"its MaxDeliveries is %d, and max attempts of the queue is %d: leave one out", p.MaxDeliveries, attempts))
	if p.DeadLetterTopic == "" {
		return nil
	}
	name, err := c.topics.of(context.Background(), p.DeadLetterTopic)
	if err == nil && name == p.DeadLetterTopic {
		err = checkMapped(name)
	}
	if err != nil {
		return fmt.Errorf("the dead-letter topic of the policy, %s: %w", shownTopic(p.DeadLetterTopic), err)
	}
	p.DeadLetterTopic = name
	r.add(sameTopic(name, q.Topic), "DLQ", "its DeadLetterTopic is the queue's own topic")
	q.maxAttempts = int(p.MaxDeliveries)
	if c.prefix != nil {
		c.prefix.Without = append(c.prefix.Without, name)
	}
	if e := p.ProducerOptions.Encryption; e != nil {
		e.KeyReader = flow.Keys(e.KeyReader)
	}
	if po := &p.ProducerOptions; !po.EnableChunking && !po.DisableBatching && po.BatchingMaxMessages == 0 &&
		po.BatchingMaxPublishDelay == 0 {
		po.EnableChunking, po.DisableBatching = true, true // otherwise the client could not move a message in chunks
	}
	return nil
}
