package bq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

// A PublishOption changes how one message is published. It wins over the options of the publisher, the catalog and the
// default, in this order.
type PublishOption interface{ applyToPublish(*publishConfig) }

// A PublisherOption changes the publishers that are created with it.
type PublisherOption interface{ applyToPublisher(*publisherConfig) }

// A ConsumerOption changes a consumer. It wins over the catalog, and the catalog wins over the default.
type ConsumerOption interface{ applyToConsumer(*consumerConfig) }

// An Option is for publishers and for consumers.
type Option interface {
	PublisherOption
	ConsumerOption
}

// PublishOptions returns several options as one.
func PublishOptions(opts ...PublishOption) PublishOption {
	return publishOption(func(c *publishConfig) {
		for _, o := range opts {
			o.applyToPublish(c)
		}
	})
}

// ConsumerOptions returns several options as one.
func ConsumerOptions(opts ...ConsumerOption) ConsumerOption {
	return consumerOption(func(c *consumerConfig) {
		for _, o := range opts {
			o.applyToConsumer(c)
		}
	})
}

type publishConfig struct {
	id          *string
	traceID     *string
	key         *string
	orderingKey string
	delay       time.Duration
	deliverAt   time.Time
	eventTime   time.Time
	sequenceID  *int64
	properties  map[string]string
	meta        map[string]any
	messages    []customizer[pulsar.ProducerMessage]
	refused     error
}

type publisherConfig struct {
	logger      *slog.Logger
	sendTimeout time.Duration
	customize   []customizer[pulsar.ProducerOptions]
	topics      topicMappings

	batching          *Batching
	maxProducers      int
	publishMiddleware []PublishMiddleware
	messages          []customizer[pulsar.ProducerMessage]
	refused           error
}

func newPublisherConfig(opts []PublisherOption) publisherConfig {
	c := publisherConfig{logger: slog.Default(), sendTimeout: defaultSendTimeout, maxProducers: defaultMaxProducers}
	for i, o := range opts {
		if o == nil {
			c.refused = errors.Join(c.refused, fmt.Errorf("option %d is nil", i+1))
			continue
		}
		o.applyToPublisher(&c)
	}
	c.fillIn()
	return c
}

// fillIn replaces values that mean the default. No secret of a URL reaches the log.
func (c *publisherConfig) fillIn() {
	c.logger = usable(c.logger)
	if c.sendTimeout <= 0 {
		c.sendTimeout = defaultSendTimeout
	}
}

// usable returns the logger that is written to instead of a user's, which may be nil.
func usable(l *slog.Logger) *slog.Logger {
	if l == nil {
		l = slog.Default()
	}
	return slog.New(RedactURLs(calm(l).Handler()))
}

type consumerConfig struct {
	publisherConfig
	maxAttempts      int
	attemptsGiven    bool // by WithMaxAttempts
	subscription     string
	subscriptionType pulsar.SubscriptionType
	initialPosition  pulsar.SubscriptionInitialPosition
	concurrency      int
	backoff          Backoff
	byNack           bool
	refuseInvalid    bool
	values           bool // of payloads may be in errors
	accept           flow.Accept
	flowConfig
	startup    Startup
	middleware []Middleware
	handle     Handler // the middleware around the innermost handler
	unknown    Handler
	records    Handler
	schemas    *schemas
	observers  observers

	consumers   int
	customizers []customizer[pulsar.ConsumerOptions]
	queues      []consumedQueue // the first is the consumer's
	moreQueues  []Queue         // of the catalog
	topicPrefix string
	prefix      *flow.Prefix

	own     ownership
	service serviceConfig

	subscribing []string // options that concern how the consumer subscribes
	wrong       []error  // options that cannot be used
}

func (c *consumerConfig) subscribes(option string) { c.subscribing = append(c.subscribing, option) }

// refuse notes that an option cannot be used, which NewConsumer reports.
func (c *consumerConfig) refuse(wrong bool, format string, args ...any) {
	if wrong {
		c.wrong = append(c.wrong, fmt.Errorf(format, args...))
	}
}

// The defaults of the options.
const (
	defaultSubscription = contract.Subscription // CFG-4
	defaultSendTimeout  = 30 * time.Second
)

// newConsumerConfig returns the configuration of a consumer, and the queue with the topics to use.
func newConsumerConfig(client pulsar.Client, q Queue, opts []ConsumerOption) (consumerConfig, Queue, error) {
	c := consumerConfig{
		publisherConfig:  newPublisherConfig(nil),
		subscription:     defaultSubscription,
		subscriptionType: pulsar.Shared,
		initialPosition:  pulsar.SubscriptionPositionEarliest,
		concurrency:      1,
		consumers:        1,
		accept:           envelope.Parse,
	}
	for i, o := range opts {
		if o == nil {
			c.refuse(true, "option %d is nil", i+1)
			continue
		}
		o.applyToConsumer(&c)
	}
	c.fillIn()
	plain := q
	q, unresolved := c.topics.resolve(context.Background(), q)
	var err error
	if len(c.wrong) == 0 { // otherwise a middleware may be nil
		c.handle, err = compose(c.middleware, c.values)
	}
	q = c.serviceOf(q)
	for _, err := range []error{
		unresolved, err, c.resolveQueues(q, plain), c.complete(client, q), c.flowConfig.complete(), c.checkProducers(client),
	} {
		if err != nil {
			c.wrong = append(c.wrong, err)
		}
	}
	if len(c.wrong) == 0 { // otherwise a function may be nil
		for i := range c.queues {
			var err error
			if err = c.subscribe(&c.queues[i], i == 0); err != nil {
				c.wrong = append(c.wrong, err)
				break
			}
		}
	}
	refuse := c.refuse
	refuse(c.consumers < 1, "WithConsumers is %d, want at least 1", c.consumers)
	refuse(c.consumers > 1 && c.subscriptionType == pulsar.Exclusive,
		"WithConsumers is %d, and an Exclusive subscription has one consumer only", c.consumers)
	// CFG-1
	for _, one := range c.queues { // those of Pulsar's own dead-letter policy are set
		refuse(one.maxAttempts < 1, "max attempts is %d, want at least 1 (MAX-1)", one.maxAttempts)
	}
	refuse(c.subscription == "", "the subscription name is empty")
	refuse(c.concurrency < 1, "concurrency is %d, want at least 1", c.concurrency)
	refuse(c.byNack && !c.delays(), "WithRetryByNack needs WithSubscriptionType(Shared or KeyShared): "+
		"on others Pulsar does not count redeliveries, so retries would never end (CFG-3)")
	return c, q, errors.Join(c.wrong...)
}

// delays reports whether the subscription keeps delays and counts redeliveries.
func (c *consumerConfig) delays() bool {
	return flow.Shares(c.subscriptionType)
}

// WithMaxAttempts sets how often a message is delivered, the first time included. The default is the catalog's
// max_attempts or, without one, 3. With 1 there are no retries. NewConsumer rejects less (MAX-1).
func WithMaxAttempts(n int) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.maxAttempts, c.attemptsGiven = n, true })
}

// WithSubscription sets the name of the subscription. The default is babelqueue (CFG-4). Services that each want every
// message of a queue need a subscription each.
func WithSubscription(name string) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.subscription = name; c.subscribes("WithSubscription") })
}

// WithSubscriptionType sets the type of the subscription. The default is pulsar.Shared (CFG-4). With WithPulsarConsumer
// it declares the type that the caller has subscribed with.
func WithSubscriptionType(t pulsar.SubscriptionType) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.subscriptionType, c.own.typeGiven = t, true })
}

// WithInitialPosition sets where a subscription starts that does not exist yet. The default is
// pulsar.SubscriptionPositionEarliest, the oldest message that Pulsar still has.
func WithInitialPosition(p pulsar.SubscriptionInitialPosition) ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.initialPosition = p; c.subscribes("WithInitialPosition") })
}

// WithInvalidPayloadPermanent dead-letters a message at once if its payload violates its schema, as if the handler had
// returned [Permanent]. By default such a message is retried like any failed delivery, since a consumer with an older
// catalog may be about to be updated.
func WithInvalidPayloadPermanent() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.refuseInvalid = true })
}

// WithPayloadValuesInErrors puts the values that violate a schema into the errors of messages, and so into the log and
// into dead letters. By default the errors say where a value is and what was wanted, because values can be personal
// data. The names of members are always there.
func WithPayloadValuesInErrors() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.values = true })
}

// WithIdentityVerdict accepts the bodies that the identity verdict of the Python SDK accepts (IDV-1): those that have a
// URN and no known member of a wrong type, whatever their schema version, trace id and data are. The default is the
// verdict of the contract (ACC-1 to ACC-8), which is stricter in most places.
func WithIdentityVerdict() ConsumerOption {
	return consumerOption(func(c *consumerConfig) { c.accept = envelope.ParseByIdentity })
}

type publishOption func(*publishConfig)

func (o publishOption) applyToPublish(c *publishConfig) { o(c) }

type publisherOption func(*publisherConfig)

func (o publisherOption) applyToPublisher(c *publisherConfig) { o(c) }

type consumerOption func(*consumerConfig)

func (o consumerOption) applyToConsumer(c *consumerConfig) { o(c) }

type option func(*publisherConfig)

func (o option) applyToPublisher(c *publisherConfig) { o(c) }
func (o option) applyToConsumer(c *consumerConfig)   { o(&c.publisherConfig) }
