package bq

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// WithKey sets the message key, which decides the partition and, on a Key_Shared subscription, the consumer. It wins
// over the key that the catalog takes from the payload. "" means no key.
func WithKey(key string) PublishOption {
	return publishOption(func(c *publishConfig) { c.key = &key })
}

// WithDelay delivers the message no earlier than after d, on Shared and Key_Shared subscriptions; the others ignore the
// delay. The broker is precise to its tick, 1 s by default. If d is 0 or less, the message is not delayed (DLY-1).
//
// If the delay exceeds the message TTL of the namespace, which a client cannot see, Pulsar discards the message.
func WithDelay(d time.Duration) PublishOption {
	return publishOption(func(c *publishConfig) { c.delay, c.deliverAt = d, time.Time{} })
}

// WithDeliverAt delivers the message no earlier than at t, as [WithDelay] does. Of the two, the last one counts. A time
// that has passed is no delay.
func WithDeliverAt(t time.Time) PublishOption {
	return publishOption(func(c *publishConfig) {
		c.delay, c.deliverAt = 0, time.Time{}
		if t.After(time.Now()) {
			c.deliverAt = t
		}
	})
}

// WithID sets the message's ID (ENV-3), which should be unique to the message, such as a UUID: consumers recognize
// duplicates by it. By default it is a new UUID. Publish fails if the ID is blank.
func WithID(id string) PublishOption {
	return publishOption(func(c *publishConfig) { c.id = &id })
}

// WithOrderingKey sets the ordering key. It wins over the message key in everything that a key decides; consumers see
// both.
func WithOrderingKey(key string) PublishOption {
	return publishOption(func(c *publishConfig) { c.orderingKey = key })
}

// WithEventTime sets the event time of the Pulsar message, precise to the millisecond. By default there is none; the
// envelope has the time of publishing.
func WithEventTime(t time.Time) PublishOption {
	return publishOption(func(c *publishConfig) { c.eventTime = t })
}

// WithSequenceID sets the sequence id, by which a topic with deduplication recognizes what a producer has sent before.
// The ids of a producer must increase. By default the producer counts.
func WithSequenceID(id int64) PublishOption {
	return publishOption(func(c *publishConfig) { c.sequenceID = &id })
}

// A MessageOption is for one message, or for all messages of publishers.
type MessageOption interface {
	PublishOption
	PublisherOption
}

type messageOption customizer[pulsar.ProducerMessage]

func (o messageOption) applyToPublish(c *publishConfig) {
	c.messages = append(c.messages, customizer[pulsar.ProducerMessage](o))
}

func (o messageOption) applyToPublisher(c *publisherConfig) {
	c.messages = append(c.messages, customizer[pulsar.ProducerMessage](o))
}

// WithMessage calls fn with the complete Pulsar message before it is sent, for settings that have no option here. Fn
// must not change the body or a property of the contract, whose names start with bq-; Publish fails then. Several
// functions are called in order, those of the publishers first. A function is for the messages of all queues, or of
// those that are named, as the catalog has them.
func WithMessage(fn func(*pulsar.ProducerMessage), only ...Queue) MessageOption {
	return messageOption{fn, slices.Clone(only)}
}

// WithTraceID sets the trace id. It wins over the trace id of the context. A blank one starts a new trace (ENV-17).
func WithTraceID(id string) PublishOption {
	return publishOption(func(c *publishConfig) { c.traceID = &id })
}

// WithMeta adds members to the meta of the envelope, by convention below ext.VENDOR (ENV-15). Values can be nil,
// booleans, numbers, strings, and slices and maps of these. If the contract uses or forbids a name, Publish fails with
// a [*envelope.MetaError]. Several calls add up.
func WithMeta(members map[string]any) PublishOption {
	return publishOption(func(c *publishConfig) {
		if c.meta == nil {
			c.meta = make(map[string]any, len(members))
		}
		maps.Copy(c.meta, members)
	})
}

// WithProperties adds message properties. Those with a blank name or value are left out, and the contract's own
// properties win (MAP-8). Several calls add up.
func WithProperties(properties map[string]string) PublishOption {
	return publishOption(func(c *publishConfig) {
		if c.properties == nil {
			c.properties = make(map[string]string, len(properties))
		}
		maps.Copy(c.properties, properties)
	})
}

// WithLogger sets the logger. The default, also for nil, is slog.Default().
func WithLogger(l *slog.Logger) LoggerOption { return loggerOption{l} }

// A LoggerOption is for publishers, consumers and readers.
type LoggerOption interface {
	Option
	ReaderOption
}

type loggerOption struct{ l *slog.Logger }

func (o loggerOption) applyToPublisher(c *publisherConfig) { c.logger = o.l }
func (o loggerOption) applyToConsumer(c *consumerConfig)   { c.logger = o.l }
func (o loggerOption) applyToReader(c *readerConfig)       { c.logger = o.l }

// WithSendTimeout limits how long to wait for the broker to confirm a message, a retry, a dead letter or an
// acknowledgement. The default, also for 0 or less, is 30 s. If the context of a Publish ends earlier, Publish returns
// earlier.
func WithSendTimeout(d time.Duration) Option {
	return option(func(c *publisherConfig) { c.sendTimeout = d })
}

// defaultMaxProducers is how many producers are kept by default.
const defaultMaxProducers = 100

// WithMaxProducers sets how many topics keep their Pulsar producers when nothing is being sent to them. If there are
// more, those not used for longest are closed; a producer in use is never closed. The default, also for less than 1, is
// 100.
func WithMaxProducers(n int) PublisherOption {
	return publisherOption(func(c *publisherConfig) {
		if c.maxProducers = n; n < 1 {
			c.maxProducers = defaultMaxProducers
		}
	})
}

// Batching says when a batch is sent. A zero means the default.
type Batching struct {
	Delay    time.Duration // the longest wait for more messages; 10 ms by default
	Messages uint          // the most messages; 1,000 by default
	Bytes    uint          // the most bytes; 128 KiB by default
}

// WithBatching sends messages in batches: many times faster than one by one, at a price. Whatever happens to one
// message of a batch, such as a redelivery, happens to all, and Pulsar completes a batch when all are acknowledged. A
// batch contains messages of one key only, so that Key_Shared works. Messages that are delayed are not in batches, nor
// are retries and dead letters. By default messages are sent one by one.
//
// Publish does not wait for the delay: it sends its batch at once, or when the one before is confirmed.
func WithBatching(b Batching) PublisherOption {
	return publisherOption(func(c *publisherConfig) { c.batching = &b })
}

// WithProducerOptions calls fn with the options of each Pulsar producer before it is created: for compression, chunks,
// encryption, interceptors, a router or an access mode. Producers of retries and dead letters never batch, send in
// chunks what is too large for one message, and use no router. Several functions are called in order. A function is for
// all topics, or for those of the queues that are named, as the catalog has them: their own, and those of their retries
// and dead letters.
//
// A function that sets Topic, Name or SendTimeout is refused with a [*CustomizerError], by NewConsumer or by the first
// Publish; so is ProducerAccessMode for a consumer. NewConsumer calls the functions to find out.
//
// If DisableBatching is set to false, batches are by key, as with [WithBatching]. MaxPendingMessages is how many
// messages of a topic may be on their way; with DisableBlockIfQueueFull one more fails with pulsar.ErrSendQueueIsFull.
// A message fails and is not sent if the router panics or returns no partition of the topic, or if an interceptor
// panics or changes the body or a property of the contract; interceptors may change keys. An interceptor is called once
// for a message, and that of confirmations on the goroutine of the callbacks.
func WithProducerOptions(fn func(*pulsar.ProducerOptions), only ...Queue) Option {
	return option(func(c *publisherConfig) {
		c.customize = append(c.customize, customizer[pulsar.ProducerOptions]{fn, slices.Clone(only)})
	})
}

// producerOptions returns the options of a producer for a topic as the caller wants them.
func (c *publisherConfig) producerOptions(topic string) (pulsar.ProducerOptions, error) {
	const customizer = "WithProducerOptions"
	options := pulsar.ProducerOptions{Topic: topic, SendTimeout: c.sendTimeout, DisableBatching: true}
	if b := c.batching; b != nil {
		options.DisableBatching = false
		options.BatchingMaxPublishDelay, options.BatchingMaxMessages, options.BatchingMaxSize = b.Delay, b.Messages, b.Bytes
	}
	fns := customizersOf(c.customize, func(q Queue) bool { return c.isTopicOf(q, topic) })
	options, err := customize(customizer, options, cloneProducerOptions, fns)
	if err != nil {
		return options, err
	}
	r := refusals{customizer: customizer}
	r.add(options.Topic != topic, "Topic", "use WithTopics")
	r.add(options.Name != "", "Name", "a name can have only one producer at a time")
	r.add(options.SendTimeout != c.sendTimeout, "SendTimeout", "use WithSendTimeout")
	r.add(options.EnableChunking && !options.DisableBatching, "EnableChunking",
		"the Pulsar client has either chunks or batches: set DisableBatching")
	options.BatcherBuilderType = pulsar.KeyBasedBatchBuilder
	if e := options.Encryption; e != nil {
		e.KeyReader = flow.Keys(e.KeyReader)
	}
	return options, r.err()
}

// isTopicOf reports whether a topic is one of a queue of the catalog.
func (c *publisherConfig) isTopicOf(q Queue, topic string) bool {
	q, err := c.topics.resolve(context.Background(), q)
	if err != nil {
		return false
	}
	topics := []string{q.Topic, q.DeadLetterTopic}
	for _, s := range q.Services {
		topics = append(topics, s.RetryTopic, s.DeadLetterTopic)
	}
	return slices.ContainsFunc(topics, func(other string) bool { return other != "" && sameTopic(other, topic) })
}

func cloneProducerOptions(o pulsar.ProducerOptions) pulsar.ProducerOptions {
	o.Properties = maps.Clone(o.Properties)
	o.Interceptors = slices.Clone(o.Interceptors)
	o.Encryption = cloned(o.Encryption)
	return o
}
