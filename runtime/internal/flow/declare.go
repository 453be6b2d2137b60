package flow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns subscriptions that have to exist before somebody uses them. Pulsar keeps nothing for a subscription
// that does not exist.

// Declare makes sure that a topic has a durable subscription, on each of its partitions. A new one starts with the
// earliest message that the broker still has. The broker makes a topic that does not exist, if it may. On a
// subscription that exists nothing is opened.
func Declare(ctx context.Context, client pulsar.Client, topic, name string) error {
	partitions, err := namesOf(ctx, client, topic)
	if err != nil {
		return fmt.Errorf("subscription %s of topic %s: %w", name, topic, err)
	}
	for _, partition := range partitions {
		if err := declare(ctx, client, partition, name); err != nil {
			return withAdvice(err)
		}
	}
	return nil
}

// declare is Declare for a topic without partitions.
func declare(ctx context.Context, client pulsar.Client, topic, name string) error {
	if hasDurable(ctx, client, topic, name) {
		return nil
	}
	options := pulsar.ConsumerOptions{
		Topic:                       topic,
		SubscriptionName:            name,
		Type:                        pulsar.Shared,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		EnableZeroQueueConsumer:     true, // it may exist after all: this consumer asks for no messages
	}
	consumer, err := subscribe(ctx, client, options)
	for tries := 1; sameName(err) && tries < askTries; tries++ { // another process is about to make it
		pause(ctx, askAgain)
		consumer, err = subscribe(ctx, client, options)
	}
	switch {
	case isBusy(err): // it exists
		return nil
	case err != nil:
		return err
	}
	closeConsumer(ctx, consumer)
	return nil
}

// namesOf returns the topic, or its partitions.
func namesOf(ctx context.Context, client pulsar.Client, topic string) ([]string, error) {
	return untilDone(ctx, func() ([]string, error) { return client.TopicPartitions(topic) })
}

// withAdvice adds to an error of subscribing what can be done about it, when the broker creates nothing by itself.
func withAdvice(err error) error {
	var e *pulsar.Error
	missing := errors.As(err, &e) && (e.Result() == pulsar.TopicNotFound || e.Result() == pulsar.SubscriptionNotFound)
	for _, word := range []string{"TopicNotFound", "SubscriptionNotFound"} { // which the broker says as text
		missing = missing || err != nil && strings.Contains(err.Error(), word)
	}
	if missing {
		return fmt.Errorf("%w (the broker does not create what is missing: bqgen provision does)", err)
	}
	return err
}

// How long, and how often, a source waits for a subscription that somebody else has open. Declare has, for a moment.
const (
	busyTimeout = 5 * time.Second
	busyPause   = 100 * time.Millisecond
)

// subscribePatiently is subscribe that waits for a subscription that is busy, or about to be made.
func subscribePatiently(
	ctx context.Context, client pulsar.Client, options pulsar.ConsumerOptions,
) (pulsar.Consumer, error) {
	until := time.Now().Add(busyTimeout)
	for {
		consumer, err := subscribe(ctx, client, options)
		if !isBusy(err) && !sameName(err) || time.Now().After(until) {
			return consumer, withAdvice(err)
		}
		pause(ctx, busyPause)
	}
}
