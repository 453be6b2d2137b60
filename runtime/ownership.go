package bq

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
)

// ownership is what the user brings in place of what a Consumer would make with its client. It stays the user's to
// close (CFG-2).
type ownership struct {
	consumer   pulsar.Consumer
	retry      pulsar.Producer
	deadLetter pulsar.Producer
	typeGiven  bool // the subscription type was declared
}

// WithPulsarConsumer receives from a consumer that the caller subscribed and closes, after Run has returned. Its
// subscription's type, which it does not tell, is to be declared with WithSubscriptionType; undeclared it counts as
// Exclusive. Retries need a client, WithRetryProducer, or a declared Shared or Key_Shared type, where they are then negative
// acknowledgements (CFG-3). Dead letters need a client or WithDeadLetterProducer. WithSubscription, WithInitialPosition
// and WithNackBackoff have no effect then.
//
// The consumer must not have a dead-letter policy of its own: its messages would be moved behind the runtime's back,
// without the contract's dead_letter block (CFG-5).
func WithPulsarConsumer(c pulsar.Consumer) ConsumerOption {
	return consumerOption(func(config *consumerConfig) { config.own.consumer = c })
}

// WithRetryProducer publishes retries with a producer of the caller's, which has to be one for the queue's topic. It
// wins over the client (CFG-2).
func WithRetryProducer(p pulsar.Producer) ConsumerOption {
	return consumerOption(func(config *consumerConfig) { config.own.retry = p })
}

// WithDeadLetterProducer publishes dead letters with a producer of the caller's. It wins over the queue's dead-letter
// topic, and the caller sees to it that the topic has a subscription. Create it with EnableChunking and DisableBatching:
// a record is larger than its message, and one that Pulsar does not take is tried again and again.
func WithDeadLetterProducer(p pulsar.Producer) ConsumerOption {
	return consumerOption(func(config *consumerConfig) { config.own.deadLetter = p })
}

// complete fills in what follows from what was brought, and returns what is wrong with it.
func (c *consumerConfig) complete(client pulsar.Client, q Queue) error {
	var errs []error
	own := &c.own
	if own.consumer != nil && !own.typeGiven {
		c.subscriptionType = pulsar.Exclusive
	}
	if client == nil {
		if own.consumer == nil {
			errs = append(errs, errors.New("there is neither a client nor WithPulsarConsumer to receive with"))
		}
		switch {
		case own.retry != nil || c.byNack:
		case c.delays():
			c.byNack = true
		default:
			errs = append(errs, errors.New("retries would never end: give a client, WithRetryProducer, or WithSubscriptionType(Shared or KeyShared) if the subscription is one (CFG-3)"))
		}
		if q.DeadLetterTopic != "" && own.deadLetter == nil {
			errs = append(errs, errors.New("the queue has a dead-letter topic: give a client or WithDeadLetterProducer"))
		}
	}
	if own.retry != nil && !sameTopic(own.retry.Topic(), q.Topic) {
		errs = append(errs, fmt.Errorf("the retry producer is for %s, the queue's topic is %s (RET-1)", own.retry.Topic(), q.Topic))
	}
	if own.deadLetter != nil && sameTopic(own.deadLetter.Topic(), q.Topic) {
		errs = append(errs, errors.New("the dead-letter producer is for the queue's own topic"))
	}
	if own.retry != nil && c.byNack {
		errs = append(errs, errors.New("WithRetryProducer and WithRetryByNack exclude each other"))
	}
	return errors.Join(errs...)
}

// sameTopic reports whether two names mean one topic, or partitions of one.
func sameTopic(a, b string) bool {
	return topic.Same(topic.WithoutPartition(a), topic.WithoutPartition(b))
}

// senders returns how retries and dead letters are published.
func (c *consumerConfig) senders(producers *Producers, q Queue) (retry, deadLetter sender) {
	retry = producers.send
	if own := c.own.retry; own != nil {
		retry = c.sendWith(own)
	}
	switch own := c.own.deadLetter; {
	case own != nil:
		deadLetter = c.sendWith(own)
	case q.DeadLetterTopic != "":
		deadLetter = producers.send
	}
	return retry, deadLetter
}

// sendWith sends with a given producer, whose topic is its own.
func (c *consumerConfig) sendWith(p pulsar.Producer) sender {
	return func(ctx context.Context, _ string, msg *pulsar.ProducerMessage) (pulsar.MessageID, error) {
		return sendBounded(ctx, c.sendTimeout, func(ctx context.Context) (pulsar.MessageID, error) { return p.Send(ctx, msg) })
	}
}
