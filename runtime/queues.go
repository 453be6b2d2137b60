package bq

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// WithQueues has a consumer receive from more queues than its own, with the same handlers, concurrency and limit, under
// the same subscription. The messages of each queue keep its max attempts and its dead-letter topic, unless
// [WithMaxAttempts] says otherwise. Keys are a queue's own: messages with the same key on two queues do not wait for
// each other, except with [WithConcurrency](1). Queues with services cannot be combined.
func WithQueues(more ...Queue) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.moreQueues = append(c.moreQueues, more...)
		c.subscribes("WithQueues")
	})
}

// WithTopicPrefix receives from all topics that begin with a prefix, instead of the queue's topic alone. The prefix is
// written as a name and a star, such as orders-* or persistent://acme/staging/orders-*; without a namespace, it is in
// that of the queue's topic. [WithTopics] is given the prefix without the star. Topics that end in .dlq, .retry, -DLQ
// or -RETRY, and the topics of the consumer's other queues and dead letters, are left out.
//
// Topics that appear later are found within a minute, or within the AutoDiscoveryPeriod set by [WithConsumerOptions],
// and read from their first message, so [WithInitialPosition] cannot be the latest. Retries go to the topic that the
// message came from, dead letters to the dead-letter topic of the queue. Each topic has keys of its own. The Pulsar
// client fetches 16 messages ahead of each topic on Shared and Key_Shared subscriptions. Non-persistent topics are not
// found.
func WithTopicPrefix(prefix string) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(c.topicPrefix != "", "WithTopicPrefix is given twice")
		c.refuse(prefix == "", "WithTopicPrefix: the prefix is empty")
		c.topicPrefix = prefix
		c.subscribes("WithTopicPrefix")
	})
}

// A consumedQueue is one of the queues of a consumer.
type consumedQueue struct {
	Queue        // with the topics to use
	catalogTopic string
	maxAttempts  int
	source       flow.Subscription // how to subscribe
}

// resolveQueues notes the queues of the consumer, the first of which is q. plain is q before WithTopics.
func (c *consumerConfig) resolveQueues(q, plain Queue) error {
	c.queues = []consumedQueue{{Queue: q, catalogTopic: plain.Topic}}
	var errs []error
	for _, more := range c.moreQueues {
		resolved, err := c.topics.resolve(context.Background(), more)
		if err == nil {
			err = resolved.check()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("WithQueues: queue %s: %w", more.Name, err))
			continue
		}
		c.queues = append(c.queues, consumedQueue{Queue: resolved, catalogTopic: more.Topic})
		c.refuse(len(more.Services) > 0, "WithQueues: queue %s has services; make a consumer for each of them", more.Name)
	}
	c.refuse(len(c.moreQueues) > 0 && c.service.name != "", "WithQueues and WithService exclude each other")
	c.refuse(len(c.moreQueues) > 0 && c.own.deadLetter != nil,
		"WithQueues and WithDeadLetterProducer exclude each other: each queue has its own dead letters")
	for i := range c.queues {
		one := &c.queues[i]
		switch {
		case c.attemptsGiven:
			one.maxAttempts = c.maxAttempts
		case one.MaxAttempts == 0:
			one.maxAttempts = defaultMaxAttempts
		default:
			one.maxAttempts = one.MaxAttempts
		}
		for j, other := range c.queues {
			c.refuse(j < i && other.Topic != "" && sameTopic(one.Topic, other.Topic), "WithQueues: two queues have the topic %s",
				one.Topic)
			c.refuse(j != i && other.DeadLetterTopic != "" && sameTopic(one.Topic, other.DeadLetterTopic),
				"WithQueues: the topic %s is that of the dead letters of another queue", one.Topic)
		}
	}
	if c.topicPrefix != "" {
		c.refuse(c.service.name != "", "WithTopicPrefix and WithService exclude each other")
		prefix, err := c.prefixOf(plain)
		if err != nil {
			errs = append(errs, fmt.Errorf("WithTopicPrefix(%s): %w", shownTopic(c.topicPrefix), err))
		}
		c.prefix = prefix
	}
	return errors.Join(errs...)
}

// prefixOf returns what WithTopicPrefix means for a queue of the catalog.
func (c *consumerConfig) prefixOf(q Queue) (*flow.Prefix, error) {
	name, star := strings.CutSuffix(c.topicPrefix, "*")
	if !star || strings.Contains(name, "*") {
		return nil, errors.New("want a name and a star, such as orders-*")
	}
	if at := strings.LastIndexByte(q.Topic, '/'); !strings.Contains(name, "/") && at >= 0 {
		name = q.Topic[:at+1] + name
	}
	if err := checkMapped(name); err != nil {
		return nil, err
	}
	name, err := c.topics.of(context.Background(), name)
	if err != nil {
		return nil, err
	}
	full := topic.Full(name)
	if !strings.HasPrefix(full, topic.Persistent+"://") {
		return nil, errors.New("only persistent topics can be found")
	}
	if strings.HasPrefix(topic.LastSegment(full), "__") {
		return nil, errors.New("topics that begin with __ are Pulsar's own")
	}
	if c.initialPosition == pulsar.SubscriptionPositionLatest {
		return nil, errors.New("with WithInitialPosition(latest), what is published to a new topic before it is found " +
			"would be lost")
	}
	p := &flow.Prefix{Namespace: topic.Namespace(full), Name: topic.LastSegment(full)}
	for _, q := range c.queues {
		p.Without = append(p.Without, q.DeadLetterTopic)
	}
	for _, q := range c.queues[1:] {
		p.Without = append(p.Without, q.Topic)
	}
	return p, nil
}
