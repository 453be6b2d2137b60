package bq

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"
)

// subscription returns the options of the queue's subscription.
func (c *Consumer) subscription() pulsar.ConsumerOptions {
	return pulsar.ConsumerOptions{
		Topic:                       c.queue.Topic,
		SubscriptionName:            c.config.subscription,
		Type:                        c.config.subscriptionType,
		SubscriptionInitialPosition: c.config.initialPosition,
		// What is fetched ahead goes back when the consumer closes, and Pulsar then counts a redelivery that no
		// handler saw. So only little is.
		ReceiverQueueSize: max(16, 2*c.config.concurrency),
		NackBackoffPolicy: nackBackoff{c.config.nackMin, c.config.nackMax},
		// For messages in chunks, which the client gives back by their id and without the policy.
		NackRedeliveryDelay: c.config.nackMin,
		AckWithResponse:     true, // otherwise an acknowledgement that got lost looks like one that did not
	}
}

// keepDeadLetters makes sure that a dead-letter topic has a durable subscription. One that is in use already will do.
func keepDeadLetters(ctx context.Context, client pulsar.Client, topic string) error {
	consumer, err := subscribe(ctx, client, pulsar.ConsumerOptions{
		Topic:                       topic,
		SubscriptionName:            defaultSubscription,
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
	bounded(closeTimeout, consumer.Close)
	return nil
}

// isBusy reports whether err says that the subscription has a consumer that wants it for itself. The client gives the
// broker's word for it as text only.
func isBusy(err error) bool {
	var e *pulsar.Error
	return errors.As(err, &e) && e.Result() == pulsar.ConsumerBusy ||
		err != nil && strings.Contains(err.Error(), "ConsumerBusy")
}

// subscribe is client.Subscribe, but it returns when ctx ends. A consumer that comes too late is closed.
func subscribe(ctx context.Context, client pulsar.Client, options pulsar.ConsumerOptions) (pulsar.Consumer, error) {
	type result struct {
		consumer pulsar.Consumer
		err      error
	}
	done := make(chan result)
	go func() {
		consumer, err := client.Subscribe(options)
		select {
		case done <- result{consumer, err}:
		case <-ctx.Done():
			if err == nil {
				consumer.Close()
			}
		}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, fmt.Errorf("subscribe %s to %s: %w", options.SubscriptionName, options.Topic, r.err)
		}
		return r.consumer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
