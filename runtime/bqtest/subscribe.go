package bqtest

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"
)

// Subscribe makes a consumer. See the package documentation for what it
// refuses. Options that make the real client panic or hang are refused too.
func (cl *client) Subscribe(opts pulsar.ConsumerOptions) (pulsar.Consumer, error) {
	names, err := checkConsumer(&opts)
	if err != nil {
		return nil, err
	}
	c := newConsumer(cl, opts)
	c.multi = len(names) > 1
	if err := c.subscribe(names, func(t *topic) int64 {
		if opts.SubscriptionInitialPosition == pulsar.SubscriptionPositionEarliest {
			return t.first
		}
		return t.end()
	}); err != nil {
		return nil, err
	}
	if opts.MessageChannel != nil {
		c.Chan()
	}
	return c, nil
}

// checkConsumer completes the options as the real client does, and refuses
// what it or this package cannot do.
func checkConsumer(opts *pulsar.ConsumerOptions) ([]topicName, error) {
	invalid := func(why string) error {
		return clientError(pulsar.InvalidConfiguration, "InvalidConfiguration", why)
	}
	switch {
	case opts.RetryEnable && opts.EnableZeroQueueConsumer:
		return nil, invalid("ZeroQueueConsumer is not supported with RetryEnable")
	case opts.Topic == "" && opts.Topics == nil && opts.TopicsPattern == "":
		return nil, clientError(pulsar.TopicNotFound, "TopicNotFound", "topic is required")
	case opts.SubscriptionName == "":
		return nil, clientError(pulsar.SubscriptionNotFound, "SubscriptionNotFound",
			"subscription name is required for consumer")
	case opts.PriorityLevel < 0 || opts.PriorityLevel > math.MaxInt32:
		return nil, invalid("priority level must be >= 0 and <= math.MaxInt32")
	case opts.NackPrecisionBit != nil && *opts.NackPrecisionBit < 0:
		return nil, invalid("NackPrecisionBit cannot be negative")
	case opts.DLQ != nil && opts.DLQ.MaxDeliveries == 0:
		return nil, invalid("DLQPolicy.MaxDeliveries needs to be > 0")
	}
	for feature, asked := range map[string]bool{
		"RetryEnable":                opts.RetryEnable,
		"a DLQ policy":               opts.DLQ != nil,
		"decryption":                 decrypts(opts.Decryption),
		"ReadCompacted":              opts.ReadCompacted,
		"a topic pattern":            opts.Topic == "" && len(opts.Topics) == 0,
		"a sticky Key_Shared policy": opts.KeySharedPolicy != nil && opts.KeySharedPolicy.Mode == pulsar.KeySharedPolicyModeSticky,
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
		return nil, fmt.Errorf("subscribe %s: a negative acknowledgement's delay of %v makes the real client panic: want at least 3ns",
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
	var names []topicName
	seen := map[string]bool{}
	for _, name := range asked {
		tn, err := parseTopic(name)
		if err != nil {
			return nil, err
		}
		if !seen[tn.full] {
			seen[tn.full] = true
			names = append(names, tn)
		}
	}
	return names, nil
}

// subscribe connects the consumer to its topics, all of them or none.
func (c *consumer) subscribe(names []topicName, start func(*topic) int64) error {
	if err := c.cl.ready(); err != nil {
		return err
	}
	c.b.lock()
	if c.opts.Name == "" {
		c.opts.Name = c.b.newName()
	}
	c.b.unlock()
	for _, tn := range names {
		call := Call{Topic: tn.full, Subscription: c.opts.SubscriptionName}
		err := c.cl.await(onSubscribe, call, func() error { return c.join(tn, start) })
		if err == nil {
			continue
		}
		c.leave()
		if c.multi {
			err = fmt.Errorf("unable to subscribe to topic=%s: %w", tn.full, err)
		}
		return err
	}
	return nil
}

// join connects the consumer to one topic, with all its partitions.
func (c *consumer) join(tn topicName, start func(*topic) int64) error {
	if c.cl.closed {
		return errClientClosed
	}
	parts := c.b.topicNames(tn)
	if len(parts) > 1 && c.opts.EnableZeroQueueConsumer {
		return errors.New("ZeroQueueConsumer is not supported for partitioned topics")
	}
	links := make([]*link, len(parts))
	for i, name := range parts {
		t := c.b.topic(name)
		if s := t.subs[c.opts.SubscriptionName]; s != nil {
			if err := s.admit(c.opts.Type); err != nil {
				return err
			}
		}
		links[i] = &link{c: c, topic: t, index: int32(i), nacks: map[int64]*timer{}}
	}
	for _, l := range links {
		c.links = append(c.links, l)
		l.topic.subscribe(l, start).connect(l)
	}
	c.cl.parts[c] = struct{}{}
	return nil
}

// decrypts says whether messages are to be decrypted. What asks only to be given encrypted messages as they are is
// fine: there are none.
func decrypts(d *pulsar.MessageDecryptionInfo) bool {
	return d != nil && d.ConsumerCryptoFailureAction != crypto.ConsumerCryptoFailureActionConsume
}
