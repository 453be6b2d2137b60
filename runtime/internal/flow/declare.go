package flow

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/topic"
)

// This file owns subscriptions that have to exist before somebody uses them. Pulsar keeps nothing for a subscription
// that does not exist.

// Declare makes sure that a topic has a durable subscription, on each of its partitions. A new one starts with the
// earliest message that the broker still has. The broker makes a topic that does not exist, if it may. On a
// subscription that exists nothing is opened.
func Declare(ctx context.Context, client pulsar.Client, topic, name string) error {
	done, err := oneAtATime(ctx, client, topic, name)
	if err != nil {
		return err
	}
	defer done()
	partitions, err := namesOf(ctx, client, topic)
	if err != nil {
		return withAdvice(fmt.Errorf("subscription %s of topic %s: %w", name, topic, err))
	}
	for _, partition := range partitions {
		if err := declare(ctx, client, partition, name); err != nil {
			return withAdvice(err)
		}
	}
	return nil
}

// declare is Declare for a topic without partitions. It returns when the broker says that the subscription is there.
// That it let it be made is not enough: it cleans up after a reader of the same name when that is long closed, by name,
// and may take the new subscription for the reader's.
func declare(ctx context.Context, client pulsar.Client, topic, name string) error {
	for range askTries {
		if hasDurable(ctx, client, topic, name) {
			return nil
		}
		inUse, err := makeDurable(ctx, client, topic, name)
		if inUse || err != nil || !isPersistent(topic) { // which keeps no subscription
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("subscribe %s to %s: the broker has not kept the subscription, %d times", name, topic, askTries)
}

// makeDurable makes a subscription unless it exists. It reports whether somebody uses it, so that it certainly exists.
func makeDurable(ctx context.Context, client pulsar.Client, topic, name string) (inUse bool, err error) {
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
	case isBusy(err):
		return true, nil
	case err != nil:
		return false, err
	}
	closeConsumer(ctx, consumer)
	return false, nil
}

// A subscriptionOf names a subscription of a topic.
type subscriptionOf struct {
	client      any // nil if it cannot be compared
	topic, name string
}

// making has a channel for each subscription that somebody in this process asks about or makes, which is closed when
// that is done.
var making struct {
	sync.Mutex
	of map[subscriptionOf]chan struct{}
}

// oneAtATime waits until nobody else in this process asks about a subscription or makes it. Of many at once, which
// happens at the start, readers would be cleaned up while the subscription is made. The caller calls done at the end.
func oneAtATime(ctx context.Context, client pulsar.Client, topic, name string) (done func(), err error) {
	s := subscriptionOf{topic: topic, name: name}
	if reflect.ValueOf(client).Comparable() {
		s.client = client
	}
	for {
		making.Lock()
		others := making.of[s]
		if others == nil {
			if making.of == nil {
				making.of = make(map[subscriptionOf]chan struct{})
			}
			own := make(chan struct{})
			making.of[s] = own
			making.Unlock()
			return func() {
				making.Lock()
				delete(making.of, s)
				making.Unlock()
				close(own)
			}, nil
		}
		making.Unlock()
		select {
		case <-others:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// awaitDeclare waits until nobody else in this process declares a subscription. See declare for what the broker would
// let one subscribe to meanwhile.
func awaitDeclare(ctx context.Context, client pulsar.Client, topic, name string) error {
	done, err := oneAtATime(ctx, client, topic, name)
	if err == nil {
		done()
	}
	return err
}

// isPersistent reports whether a topic keeps messages and subscriptions.
func isPersistent(name string) bool { return !topic.IsNonPersistent(name) }

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
