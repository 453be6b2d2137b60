package bq

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
	"github.com/babelqueue/bqgen/runtime/internal/send"
)

// ownership is what the caller passes instead of what a Consumer would create with its client. It remains the caller's
// to close (CFG-2).
type ownership struct {
	consumer   pulsar.Consumer
	retry      pulsar.Producer
	deadLetter pulsar.Producer
	typeGiven  bool // the subscription type was declared

	deadLetterName  string // of the subscription of the dead-letter topic; "" for none
	deadLetterNamed bool
}

// WithPulsarConsumer uses a consumer that the caller has subscribed and closes after Run has returned. Declare the type
// of its subscription with [WithSubscriptionType]; the default is Exclusive then. Retries need a client,
// [WithRetryProducer], or a declared Shared or Key_Shared type, where they are negative acknowledgements (CFG-3). Dead
// letters need a client or [WithDeadLetterProducer]. NewConsumer rejects options that only concern subscribing.
//
// Create the consumer with AckWithResponse: without it nothing is confirmed, and a lost acknowledgement is reported as
// successful. Its NackBackoffPolicy (one minute by default) decides when Pulsar redelivers a negatively acknowledged
// message; the waits of this package come on top. If messages may be encrypted, set a Decryption whose
// ConsumerCryptoFailureAction is crypto.ConsumerCryptoFailureActionConsume; otherwise the client stops receiving when
// its queue is full of messages that it cannot decrypt. On Failover, such a consumer goes on with what it has received
// when another one becomes active.
//
// The consumer must not have a dead-letter policy of its own, which would move messages without the contract's
// dead_letter block (CFG-5).
func WithPulsarConsumer(c pulsar.Consumer) ConsumerOption {
	return consumerOption(func(config *consumerConfig) {
		config.refuse(c == nil, "WithPulsarConsumer: the consumer is nil")
		config.own.consumer = c
	})
}

// WithRetryProducer publishes retries with the caller's producer, which must be one for the queue's topic. It wins over
// the client (CFG-2). Retries are then published one at a time.
func WithRetryProducer(p pulsar.Producer) ConsumerOption {
	return consumerOption(func(config *consumerConfig) {
		config.refuse(p == nil, "WithRetryProducer: the producer is nil")
		config.own.retry = p
	})
}

// WithDeadLetterProducer publishes dead letters with the caller's producer. It wins over the queue's dead-letter topic,
// and the caller must make sure that its topic has a subscription. Dead letters are then published one at a time.
// Create the producer with EnableChunking and DisableBatching: a record is larger than its message, and one that Pulsar
// refuses is tried again and again.
func WithDeadLetterProducer(p pulsar.Producer) ConsumerOption {
	return consumerOption(func(config *consumerConfig) {
		config.refuse(p == nil, "WithDeadLetterProducer: the producer is nil")
		config.own.deadLetter = p
	})
}

// WithDeadLetterSubscription sets the name of the durable subscription that Run and [Declare] make on the dead-letter
// topic, if there is none. The default is babelqueue (CFG-4). With "" they make none: then the topic must have one, or
// dead letters are lost. A subscription that exists is left alone, so starting a consumer does not disturb those who
// redrive dead letters. Services of a queue have their own name there (FAN-3), so the option is not for them.
func WithDeadLetterSubscription(name string) DeadLetterOption { return deadLetterOption(name) }

// A DeadLetterOption is for consumers and Declare.
type DeadLetterOption interface {
	ConsumerOption
	DeclareOption
}

type deadLetterOption string

func (name deadLetterOption) applyToConsumer(c *consumerConfig) {
	c.own.deadLetterName, c.own.deadLetterNamed = string(name), true
}

func (name deadLetterOption) applyToDeclare(c *declareConfig) { c.deadLetters = string(name) }

// complete fills in what follows from what was brought, and returns what is wrong with it.
func (c *consumerConfig) complete(client pulsar.Client, q Queue) error {
	var errs []error
	own := &c.own
	if own.consumer != nil {
		if !own.typeGiven {
			c.subscriptionType = pulsar.Exclusive
		}
		for _, option := range c.subscribing {
			c.refuse(true, "%s has no effect with WithPulsarConsumer", option)
		}
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
			errs = append(errs,
				errors.New("retries would never end: give a client, WithRetryProducer, or "+
					"WithSubscriptionType(Shared or KeyShared) if the subscription is one (CFG-3)"))
		}
		if q.DeadLetterTopic != "" && own.deadLetter == nil {
			errs = append(errs, errors.New("the queue has a dead-letter topic: give a client or WithDeadLetterProducer"))
		}
	}
	retryTopic := q.Topic
	if c.service.service != nil {
		retryTopic = c.service.service.RetryTopic
	}
	if own.retry != nil && !sameTopic(own.retry.Topic(), retryTopic) {
		errs = append(errs, fmt.Errorf("the retry producer is for %s, retries go to %s (RET-1, FAN-2)",
			own.retry.Topic(), retryTopic))
	}
	if !own.deadLetterNamed {
		own.deadLetterName = c.deadLetterSubscription()
	}
	c.refuse(own.deadLetterNamed && own.deadLetter != nil,
		"WithDeadLetterSubscription has no effect with WithDeadLetterProducer")
	if own.deadLetter != nil && sameTopic(own.deadLetter.Topic(), q.Topic) {
		errs = append(errs, errors.New("the dead-letter producer is for the queue's own topic"))
	}
	if own.retry != nil && c.byNack {
		errs = append(errs, errors.New("WithRetryProducer and WithRetryByNack exclude each other"))
	}
	return errors.Join(errs...)
}

// sameTopic reports whether two names mean one topic, or partitions of one.
func sameTopic(a, b string) bool { return fullTopic(a) == fullTopic(b) }

// fullTopic returns the complete name of a topic, or of the topic that a partition belongs to.
func fullTopic(name string) string { return topic.Full(topic.WithoutPartition(name)) }

// checkProducers returns an error if the producers of retries and dead letters could not be created.
func (c *consumerConfig) checkProducers(client pulsar.Client) error {
	if client == nil || len(c.customize) == 0 {
		return nil
	}
	for _, q := range c.queues {
		for _, topic := range []string{q.Topic, q.DeadLetterTopic} {
			if topic == "" {
				continue
			}
			options, err := c.settlingOptions(topic)
			if err != nil {
				return err
			}
			const customizer = "WithProducerOptions"
			if topic == q.Topic && options.MessageRouter != nil {
				c.overruled(customizer, "MessageRouter", "retries and dead letters have no router")
			}
			if topic == q.Topic && !options.DisableBatching {
				c.overruled(customizer, "DisableBatching", "retries and dead letters are not batched")
			}
		}
	}
	return nil
}

// settlingOptions returns the options of a producer of retries or dead letters as the caller wants them.
func (c *consumerConfig) settlingOptions(topic string) (pulsar.ProducerOptions, error) {
	options, err := c.producerOptions(topic)
	if err != nil {
		return options, err
	}
	r := refusals{customizer: "WithProducerOptions"}
	r.add(options.ProducerAccessMode != pulsar.ProducerAccessModeShared, "ProducerAccessMode",
		"retries and dead letters have producers of their own, several at a time, and other services publish too")
	return options, r.err()
}

// senders returns how retries and the dead letters of each queue are published; those of a queue are nil when they are
// dropped. The producers that are made for it chunk what is too large for one message, since a record is larger than
// what it records and there is nowhere else to put it.
func (c *consumerConfig) senders(client pulsar.Client) (retry flow.Sender, deadLetters []flow.Sender) {
	made := flow.NewOutboxes(func(topic string) (pulsar.Producer, error) {
		options, err := c.settlingOptions(topic)
		if err != nil {
			return nil, err
		}
		options.EnableChunking, options.DisableBatching = true, true // the client refuses chunks in batches
		options.MessageRouter = nil                                  // the topic may have other partitions
		producer, err := send.Create(client.CreateProducer, options, protect)
		if isIncompatible(err) && options.Schema != nil && c.isDeadLetterTopic(topic) {
			c.logger.Warn("the dead-letter topic has another schema, so dead letters are published without one",
				slog.String("topic", topic), slog.Any("error", err))
			options.Schema = nil
			producer, err = send.Create(client.CreateProducer, options, protect)
		}
		return producer, withSchema(err, options.Schema)
	}, c.sendTimeout, protect)
	retry = made.For("") // the topic that the message came from
	if s := c.service.service; s != nil {
		retry = made.For(s.RetryTopic) // FAN-2
	}
	if own := c.own.retry; own != nil {
		var others flow.Sender
		if client != nil {
			others = retry
		}
		retry = flow.OnlyTo(own.Topic(), flow.NewOutbox(own, c.sendTimeout, protect), others)
	}
	deadLetters = make([]flow.Sender, len(c.queues))
	for i, q := range c.queues {
		switch own := c.own.deadLetter; {
		case own != nil: // of the only queue
			deadLetters[i] = flow.NewOutbox(own, c.sendTimeout, protect)
		case q.DeadLetterTopic != "":
			deadLetters[i] = made.For(q.DeadLetterTopic)
		}
	}
	return retry, deadLetters
}
