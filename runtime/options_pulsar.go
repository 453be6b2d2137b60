package bq

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// WithConsumerOptions calls fn with the options of the Pulsar consumer before it is created: to set its name,
// properties, priority, Key_Shared policy, schema, decryption keys, interceptors or event listener, for example.
// Several functions are called in order. They are called once, by NewConsumer; later changes to what they have set have
// no effect. A function is for all queues of the consumer, or for those that are named, as the catalog has them.
//
// What the contract or this package depends on cannot be changed, such as the topic, the subscription and how messages
// are acknowledged: NewConsumer returns a [*CustomizerError] that says what to use instead. Messages that cannot be
// decrypted are always passed on, whatever ConsumerCryptoFailureAction is; see [WithDropUndecryptable].
//
// DLQ, Pulsar's own dead-letter policy, is for Shared and Key_Shared, and for queues without dead letters in the
// catalog (CFG-5). Then every failed delivery is a negative acknowledgement, as with [WithRetryByNack], and after
// MaxDeliveries the Pulsar client moves the message to the policy's topic as it is, without a dead_letter block:
// poison, messages of other envelope versions and those that failed with [Permanent], too, though no handler gets these
// again. The topic is given a subscription: InitialSubscriptionName, or that of [WithDeadLetterSubscription].
// [WithTopics] applies to it. Messages that are too large are moved in chunks, unless ProducerOptions sets up batches.
// While the client cannot create its producer, it delivers nothing.
func WithConsumerOptions(fn func(*pulsar.ConsumerOptions), only ...Queue) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		c.refuse(fn == nil, "WithConsumerOptions: the function is nil")
		c.customizers = append(c.customizers, customizer[pulsar.ConsumerOptions]{fn, slices.Clone(only)})
		c.subscribes("WithConsumerOptions")
	})
}

// WithConsumers subscribes n Pulsar consumers instead of one, which share the handlers and the limit. Each has its own
// receive queue, and on a Failover subscription its own partitions. With a name set by [WithConsumerOptions], the
// others have the name with a number. If Pulsar closes one of them for good, Run returns an error. An Exclusive
// subscription has one consumer only. The default is 1.
func WithConsumers(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.consumers = n; c.subscribes("WithConsumers") })
}

// subscribe notes how to subscribe to a queue, the first of the consumer's or another one, and returns what is wrong
// with the functions of WithConsumerOptions.
func (c *consumerConfig) subscribe(q *consumedQueue, first bool) error {
	s := &q.source
	*s = flow.Subscription{
		Topic: q.Topic, Name: c.subscription, Type: c.subscriptionType, Position: c.initialPosition, QueueSize: c.queueSize,
	}
	if first {
		s.Prefix = c.prefix
	}
	fns := customizersOf(c.customizers, isQueue(q.catalogTopic))
	if len(fns) == 0 {
		return nil
	}
	const customizer = "WithConsumerOptions"
	before := s.Options(1)
	before.ReceiverQueueSize = c.queueSize // 0: not decided yet
	options, err := customize(customizer, before, cloneConsumerOptions, fns)
	if err != nil {
		return err
	}
	r := refusals{customizer: customizer}
	r.consumer(before, options)
	if options.DLQ != nil {
		if err := c.nativePolicy(q, &options, &r); err != nil {
			return err
		}
	}
	warnOfDecryption(c.logger, customizer, options.Decryption, "WithDropUndecryptable")
	options.Decryption = flow.Decryption(options.Decryption)
	s.Template, s.QueueSize = &options, options.ReceiverQueueSize
	return r.err()
}

// overruled logs that a setting of a customizer has no effect.
func (c *consumerConfig) overruled(customizer, field, instead string) {
	warnOfOverruled(c.logger, customizer, field, instead)
}

func warnOfOverruled(logger *slog.Logger, customizer, field, instead string) {
	logger.Warn("a setting has no effect", slog.String("option", customizer), slog.String("field", field),
		slog.String("instead", instead))
}

// warnOfDecryption logs that what cannot be decrypted is not dropped by the client.
func warnOfDecryption(logger *slog.Logger, customizer string, d *pulsar.MessageDecryptionInfo, instead string) {
	if d != nil && d.ConsumerCryptoFailureAction == crypto.ConsumerCryptoFailureActionDiscard {
		warnOfOverruled(logger, customizer, "Decryption.ConsumerCryptoFailureAction", instead)
	}
}

// consumer notes what the options of a consumer must not be.
func (r *refusals) consumer(before, o pulsar.ConsumerOptions) {
	r.add(o.Topic != before.Topic, "Topic", "use WithTopics")
	r.add(o.Topics != nil, "Topics", "use WithQueues")
	r.add(o.TopicsPattern != "", "TopicsPattern", "use WithTopicPrefix")
	r.add(o.SubscriptionName != before.SubscriptionName, "SubscriptionName", "use WithSubscription")
	r.add(o.Type != before.Type, "Type", "use WithSubscriptionType")
	r.add(o.SubscriptionInitialPosition != before.SubscriptionInitialPosition, "SubscriptionInitialPosition",
		"use WithInitialPosition")
	r.add(o.SubscriptionMode != before.SubscriptionMode, "SubscriptionMode",
		"a consumer's subscription is durable; use Read to look at a topic")
	r.add(o.MessageChannel != nil, "MessageChannel", "messages are passed to handlers")
	r.add(o.RetryEnable, "RetryEnable", "retries are published to the queue's own topic; see WithMaxAttempts")
	r.add(o.EnableZeroQueueConsumer, "EnableZeroQueueConsumer", "use WithReceiverQueueSize(1)")
	r.add(o.EnableAutoScaledReceiverQueueSize, "EnableAutoScaledReceiverQueueSize",
		"use WithReceiverQueueSize: scaling uses up the client's memory limit")
	r.add(!o.AckWithResponse, "AckWithResponse", "a lost acknowledgement would look like a good one; leave it on")
	r.add(o.AutoAckIncompleteChunk, "AutoAckIncompleteChunk", "messages would be lost; leave it off")
	r.add(o.EnableBatchIndexAcknowledgment, "EnableBatchIndexAcknowledgment",
		"batches of producers are acknowledged as a whole; leave it off")
	r.add(o.ReadCompacted && flow.Shares(o.Type), "ReadCompacted",
		"Pulsar allows it on Exclusive and Failover only: use WithSubscriptionType")
	r.add(o.NackRedeliveryDelay < time.Millisecond, "NackRedeliveryDelay", "use at least 1 ms, or WithRetryBackoff")
	r.add(tooShort(o.NackBackoffPolicy), "NackBackoffPolicy", "wait at least 1 ms each time, or use WithRetryBackoff")
}

// tooShort reports whether a policy has a wait under 1 ms, with which the client panics or does not wait.
func tooShort(p pulsar.NackBackoffPolicy) (short bool) {
	if p == nil {
		return false
	}
	err := protect(func() error {
		for _, redeliveries := range []uint32{0, 1, 2, 10, 33, 34, 64, 1 << 20} {
			short = short || p.Next(redeliveries) < time.Millisecond
		}
		return nil
	})
	return short || err != nil
}

func cloneConsumerOptions(o pulsar.ConsumerOptions) pulsar.ConsumerOptions {
	o.Topics = slices.Clone(o.Topics)
	o.Properties = maps.Clone(o.Properties)
	o.SubscriptionProperties = maps.Clone(o.SubscriptionProperties)
	o.Interceptors = slices.Clone(o.Interceptors)
	o.Decryption = cloned(o.Decryption)
	o.AckGroupingOptions = cloned(o.AckGroupingOptions)
	o.MaxReconnectToBroker = cloned(o.MaxReconnectToBroker)
	o.NackPrecisionBit = cloned(o.NackPrecisionBit)
	if o.DLQ != nil {
		o.DLQ = cloned(o.DLQ)
		o.DLQ.ProducerOptions = cloneProducerOptions(o.DLQ.ProducerOptions)
	}
	if o.KeySharedPolicy != nil {
		o.KeySharedPolicy = cloned(o.KeySharedPolicy)
		o.KeySharedPolicy.HashRanges = slices.Clone(o.KeySharedPolicy.HashRanges)
	}
	return o
}
