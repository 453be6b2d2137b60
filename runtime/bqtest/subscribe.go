package bqtest

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// Subscribe makes a consumer. See the package documentation for what it refuses. Options that make the real client
// panic or hang are refused too.
func (cl *client) Subscribe(opts pulsar.ConsumerOptions) (pulsar.Consumer, error) {
	names, err := checkConsumer(&opts)
	if err != nil {
		return nil, err
	}
	if err := prepareDecryption(&opts); err != nil {
		return nil, err
	}
	c := newConsumer(cl, opts)
	c.multi = len(names) > 1
	if len(names) == 0 {
		if c.pattern, err = parsePattern(opts.TopicsPattern); err != nil {
			return nil, err
		}
		c.multi = true
		cl.b.lock()
		names = cl.b.matching(c.pattern)
		cl.b.unlock()
	}
	if err := c.subscribe(names, c.initialPosition); err != nil {
		return nil, err
	}
	if c.pattern != nil {
		cl.b.lock()
		c.discoverLater()
		cl.b.unlock()
	}
	if opts.MessageChannel != nil {
		c.Chan()
	}
	return c, nil
}

func (c *consumer) initialPosition(t *topic) int64 {
	if c.opts.SubscriptionInitialPosition == pulsar.SubscriptionPositionEarliest {
		return t.first
	}
	return t.end()
}

// checkConsumer completes the options as the real client does, and refuses what it or this package cannot do.
func checkConsumer(opts *pulsar.ConsumerOptions) ([]wire.Topic, error) {
	invalid := func(why string) error {
		return wire.ClientError(pulsar.InvalidConfiguration, "InvalidConfiguration", why)
	}
	switch {
	case opts.RetryEnable && opts.EnableZeroQueueConsumer:
		return nil, invalid("ZeroQueueConsumer is not supported with RetryEnable")
	case opts.Topic == "" && opts.Topics == nil && opts.TopicsPattern == "":
		return nil, wire.ClientError(pulsar.TopicNotFound, "TopicNotFound", "topic is required")
	case opts.SubscriptionName == "":
		return nil, wire.ClientError(pulsar.SubscriptionNotFound, "SubscriptionNotFound",
			"subscription name is required for consumer")
	case opts.PriorityLevel < 0 || opts.PriorityLevel > math.MaxInt32:
		return nil, invalid("priority level must be >= 0 and <= math.MaxInt32")
	case opts.NackPrecisionBit != nil && *opts.NackPrecisionBit < 0:
		return nil, invalid("NackPrecisionBit cannot be negative")
	case opts.DLQ != nil && opts.DLQ.MaxDeliveries == 0:
		return nil, invalid("DLQPolicy.MaxDeliveries needs to be > 0")
	case opts.DLQ != nil && opts.DLQ.DeadLetterTopic == "":
		return nil, invalid("DLQPolicy.Topic needs to be set to a valid topic name")
	case opts.DLQ != nil && opts.EnableZeroQueueConsumer:
		return nil, invalid("a DLQ policy without a receiver queue makes the real client panic")
	}
	keys := opts.KeySharedPolicy
	sticky := keys != nil && keys.Mode == pulsar.KeySharedPolicyModeSticky
	for feature, asked := range map[string]bool{
		"RetryEnable":                opts.RetryEnable,
		"ReadCompacted":              opts.ReadCompacted,
		"a sticky Key_Shared policy": sticky,
	} {
		if asked {
			return nil, unsupported("subscribe %s: %s", opts.SubscriptionName, feature)
		}
	}
	if opts.NackBackoffPolicy == nil && opts.EnableDefaultNackBackoffPolicy {
		opts.NackBackoffPolicy = defaultNackBackoff{}
	}
	if opts.NackRedeliveryDelay == 0 {
		opts.NackRedeliveryDelay = time.Minute
	}
	tick := opts.NackRedeliveryDelay
	if opts.NackBackoffPolicy != nil {
		tick = opts.NackBackoffPolicy.Next(1)
	}
	if tick < 3 {
		return nil, fmt.Errorf("subscribe %s: a negative acknowledgement's delay of %v makes the real client panic: "+
			"want at least 3ns",
			opts.SubscriptionName, tick)
	}
	if opts.ReceiverQueueSize <= 0 {
		opts.ReceiverQueueSize = 1000
	}
	if opts.EnableZeroQueueConsumer {
		opts.ReceiverQueueSize = 0
	}

	asked := opts.Topics
	if opts.Topic != "" {
		asked = []string{opts.Topic}
	}
	var names []wire.Topic
	seen := map[string]bool{}
	for _, name := range asked {
		tn, err := wire.ParseTopic(name)
		if err != nil {
			return nil, err
		}
		if !seen[tn.Full] {
			seen[tn.Full] = true
			names = append(names, tn)
		}
	}
	return names, nil
}

// subscribe connects the consumer to its topics, all of them or none.
func (c *consumer) subscribe(names []wire.Topic, start func(*topic) int64) error {
	if err := c.cl.ready(); err != nil {
		return err
	}
	c.b.lock()
	if c.opts.Name == "" {
		c.opts.Name = c.b.newName()
	}
	c.cl.parts[c] = struct{}{}
	c.b.unlock()
	for _, tn := range names {
		call := Call{Topic: tn.Full, Subscription: c.opts.SubscriptionName}
		err := c.cl.await(onSubscribe, call, func() error { return c.join(tn, start) })
		if err == nil {
			continue
		}
		c.leave()
		if c.multi {
			err = fmt.Errorf("unable to subscribe to topic=%s: %w", tn.Full, err)
		}
		return err
	}
	return nil
}

// join connects the consumer to one topic, with all its partitions.
func (c *consumer) join(tn wire.Topic, start func(*topic) int64) error {
	if c.cl.closed {
		return errClientClosed
	}
	topics, err := c.b.lookup(tn)
	if err != nil {
		return err
	}
	if len(topics) > 1 && c.opts.EnableZeroQueueConsumer {
		return errors.New("ZeroQueueConsumer is not supported for partitioned topics")
	}
	links := make([]*link, len(topics))
	for i, t := range topics {
		if err := c.maySubscribe(t); err != nil {
			return err
		}
		if s := t.subs[c.opts.SubscriptionName]; s != nil {
			if err := s.admit(c.opts.Type); err != nil {
				return err
			}
		}
		links[i] = c.newLink(t, i)
	}
	for _, l := range links {
		c.links = append(c.links, l)
		l.topic.subscribe(l, start).connect(l)
	}
	return nil
}

func (c *consumer) newLink(t *topic, index int) *link {
	return &link{c: c, topic: t, index: int32(index), nacks: map[nackKey]*timer{}}
}

// maySubscribe returns why a topic cannot have the consumer, or nil.
func (c *consumer) maySubscribe(t *topic) error {
	if err := t.mayConsume(); err != nil {
		return err
	}
	if _, err := t.accept(c.opts.Schema); err != nil {
		return wire.ServerError("IncompatibleSchema", err.Error())
	}
	durable, sub := c.opts.SubscriptionMode == pulsar.Durable, t.subs[c.opts.SubscriptionName]
	if sub != nil && sub.durable != durable && t.name.Persistent {
		kind := map[bool]string{true: "Durable", false: "NonDurable"}[sub.durable]
		return wire.ServerError("NotAllowedError", kind+" subscription with the same name already exists.")
	}
	isNew := sub == nil && durable
	if isNew && c.b.namespaces[t.name.Namespace].NoSubscriptions {
		return wire.ServerError("SubscriptionNotFound", "Subscription does not exist")
	}
	return nil
}
