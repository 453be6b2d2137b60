package flow

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns what has to exist before messages are received.

// A Topology is what has to exist besides the sources.
type Topology struct {
	Client pulsar.Client
	Keep   []Kept // dead letters
}

// A Kept is a topic that is given a durable subscription.
type Kept struct{ Topic, Name string }

// A Source says where messages come from.
type Source struct {
	Subscription Subscription
	Consumer     pulsar.Consumer // the caller's, which is subscribed already; nil for one that is made here

	// These are of the queue that the messages are from.
	MaxAttempts int64
	DeadLetter  Sender // publishes dead letters; without one they are dropped
	Native      bool   // the client has a dead-letter policy: see Policy
	Lanes       int    // keys of sources with the same number are the same; of a prefix each topic has its own

	// RetriesAreForeign says that a message which was delivered before is another consumer's retry (FAN-5).
	RetriesAreForeign bool
}

// open makes what is missing and opens the sources. If one of them cannot be opened, none is.
func (f *Flow) open(ctx context.Context) (sources []*source, err error) {
	for _, k := range f.config.Topology.Keep {
		if err := Declare(ctx, f.config.Topology.Client, k.Topic, k.Name); err != nil {
			return nil, fmt.Errorf("keep dead letters: %w", err)
		}
	}
	for _, s := range f.config.Sources {
		opened, err := f.openSource(ctx, s, nil)
		if err != nil {
			for _, earlier := range sources {
				if !earlier.own {
					bounded(closeTimeout, earlier.consumer.Close)
				}
			}
			return nil, err
		}
		sources = append(sources, opened)
	}
	return sources, nil
}

// openSource opens a source. Of a prefix it takes the topics that are not known.
func (f *Flow) openSource(ctx context.Context, from Source, known []string) (*source, error) {
	s := &source{from: from, consumer: from.Consumer, own: from.Consumer != nil, shares: Shares(from.Subscription.Type)}
	s.policy = f.config.Policy
	s.policy.MaxAttempts, s.policy.HasDeadLetter = from.MaxAttempts, from.DeadLetter != nil
	if from.Native {
		s.policy.MaxAttempts, s.policy.Native, s.policy.ByNack = math.MaxInt64, true, true
	}
	if s.own {
		return s, nil
	}
	client := f.config.Topology.Client
	var options pulsar.ConsumerOptions
	if prefix := from.Subscription.Prefix; prefix != nil {
		options = from.Subscription.ofPrefix(prefix.expression(known))
	} else {
		options = from.Subscription.Options(partitionsOf(ctx, client, from.Subscription.Topic))
	}
	if options.Type == pulsar.Failover {
		options.EventListener = listener{f, s, options.EventListener}
	}
	more := make(chan pulsar.ConsumerMessage, handedOn)
	options.MessageChannel = more
	s.closed = newCloseWatch()
	options.Interceptors = f.interceptorsOf(s, options.Interceptors)
	open := subscribe
	if f.config.Service != nil {
		open = subscribePatiently
		if err := awaitDeclare(ctx, client, options.Topic, options.SubscriptionName); err != nil {
			return nil, err
		}
	}
	consumer, err := open(ctx, client, options)
	if err != nil {
		return nil, err
	}
	f.mu.Lock() // the listener may be called by now
	s.consumer, s.more = consumer, more
	f.mu.Unlock()
	return s, nil
}

// partitionsOf returns how many partitions a topic has: 1 when it has none, or when that is not to be found out.
func partitionsOf(ctx context.Context, client pulsar.Client, topic string) int {
	names, err := namesOf(ctx, client, topic)
	if err != nil {
		return 1
	}
	return max(len(names), 1)
}

// isBusy reports whether err says that the subscription has a consumer that wants it for itself. The client gives the
// broker's word for it as text only.
func isBusy(err error) bool {
	var e *pulsar.Error
	return errors.As(err, &e) && e.Result() == pulsar.ConsumerBusy ||
		err != nil && strings.Contains(err.Error(), "ConsumerBusy")
}
