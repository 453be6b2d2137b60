package flow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns what has to exist before messages are received.

// A Topology is what a consumer needs to exist.
type Topology struct {
	Client          pulsar.Client
	Subscription    Subscription
	Consumer        pulsar.Consumer // the caller's, instead of Subscription
	DeadLetterTopic string          // is given a durable subscription; "" for none
	DeadLetterName  string          // the name of that subscription
}

// open makes what is missing and returns the source.
func (f *Flow) open(ctx context.Context, t Topology) (*source, error) {
	if t.DeadLetterTopic != "" {
		if err := keepDeadLetters(ctx, t); err != nil {
			return nil, err
		}
	}
	if t.Consumer != nil {
		return &source{consumer: t.Consumer, own: true}, nil
	}
	options := t.Subscription.Options(partitionsOf(ctx, t.Client, t.Subscription.Topic))
	if options.Type == pulsar.Failover {
		options.EventListener = listener{f}
	}
	consumer, err := subscribe(ctx, t.Client, options)
	if err != nil {
		return nil, err
	}
	return &source{consumer: consumer}, nil
}

// partitionsOf returns how many partitions a topic has: 1 when it has none, or when that is not to be found out.
func partitionsOf(ctx context.Context, client pulsar.Client, topic string) int {
	found := make(chan int, 1)
	go func() {
		names, err := client.TopicPartitions(topic)
		if err != nil {
			names = nil
		}
		found <- len(names)
	}()
	select {
	case n := <-found:
		return max(n, 1)
	case <-ctx.Done():
		return 1
	}
}

// keepDeadLetters makes sure that a dead-letter topic has a durable subscription, since Pulsar throws away what is
// published to a topic without one. A subscription that is in use already will do.
func keepDeadLetters(ctx context.Context, t Topology) error {
	consumer, err := subscribe(ctx, t.Client, pulsar.ConsumerOptions{
		Topic:                       t.DeadLetterTopic,
		SubscriptionName:            t.DeadLetterName,
		Type:                        pulsar.Shared,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		ReceiverQueueSize:           1,
	})
	switch {
	case isBusy(err):
		return nil
	case err != nil:
		return fmt.Errorf("keep dead letters: %w", err)
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		consumer.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	case <-ctx.Done():
	}
	return nil
}

// isBusy reports whether err says that the subscription has a consumer that wants it for itself. The client gives the
// broker's word for it as text only.
func isBusy(err error) bool {
	var e *pulsar.Error
	return errors.As(err, &e) && e.Result() == pulsar.ConsumerBusy ||
		err != nil && strings.Contains(err.Error(), "ConsumerBusy")
}
