package bq

import (
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
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
	return publishOption(func(c *publishConfig) { c.delay = d })
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
func WithLogger(l *slog.Logger) Option {
	return option(func(c *publisherConfig) { c.logger = l })
}

// WithSendTimeout limits how long to wait for the broker to confirm a message, a retry, a dead letter or an
// acknowledgement. The default, also for 0 or less, is 30 s. If the context of a Publish ends earlier, Publish returns
// earlier.
func WithSendTimeout(d time.Duration) Option {
	return option(func(c *publisherConfig) { c.sendTimeout = d })
}

// WithProducerOptions calls fn with the options of each Pulsar producer before it is created, for example to turn on
// batching. By default a producer does not batch, since whatever happens to one message of a batch, such as a
// redelivery, happens to all. The producers of retries and dead letters never batch, and send in chunks what is too
// large for one message. Several functions are called in order.
//
// A function that sets Topic, Name or SendTimeout is refused with a [*CustomizerError], by NewConsumer or by the first
// Publish. NewConsumer calls the functions to find out.
func WithProducerOptions(fn func(*pulsar.ProducerOptions)) Option {
	return option(func(c *publisherConfig) { c.customize = append(c.customize, fn) })
}

// producerOptions returns the options of a producer for a topic as the caller wants them.
func (c *publisherConfig) producerOptions(topic string) (pulsar.ProducerOptions, error) {
	const customizer = "WithProducerOptions"
	options := pulsar.ProducerOptions{Topic: topic, SendTimeout: c.sendTimeout, DisableBatching: true}
	options, err := customize(customizer, options, cloneProducerOptions, c.customize)
	if err != nil {
		return options, err
	}
	r := refusals{customizer: customizer}
	r.add(options.Topic != topic, "Topic", "use WithTopics")
	r.add(options.Name != "", "Name", "a name can have only one producer at a time")
	r.add(options.SendTimeout != c.sendTimeout, "SendTimeout", "use WithSendTimeout")
	return options, r.err()
}

func cloneProducerOptions(o pulsar.ProducerOptions) pulsar.ProducerOptions {
	o.Properties = maps.Clone(o.Properties)
	o.Interceptors = slices.Clone(o.Interceptors)
	o.Encryption = cloned(o.Encryption)
	return o
}
