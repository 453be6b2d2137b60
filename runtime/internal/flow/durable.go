package flow

import (
	"context"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns the question whether a topic has a durable subscription. A client cannot list subscriptions. But the
// broker refuses a reader that has the name of a durable one, and before it does so, nobody is connected to it: whoever
// wants the subscription for itself, such as somebody who is redriving dead letters, is not disturbed.

// How often, and after what wait, the question is put while another process puts it.
const (
	askTries = 50
	askAgain = 100 * time.Millisecond
)

// hasDurable reports whether a topic certainly has a durable subscription.
func hasDurable(ctx context.Context, client pulsar.Client, topic, name string) bool {
	for range askTries {
		err := read(ctx, client, topic, name)
		switch {
		case sameName(err):
			return true
		case !isBusy(err):
			return false
		}
		pause(ctx, askAgain)
	}
	return false
}

// read opens a reader with a name and closes it. It returns when ctx ends.
func read(ctx context.Context, client pulsar.Client, topic, name string) error {
	_, err := untilDone(ctx, func() (none struct{}, err error) {
		reader, err := client.CreateReader(pulsar.ReaderOptions{
			Topic: topic, SubscriptionName: name, StartMessageID: pulsar.LatestMessageID(), ReceiverQueueSize: 1,
		})
		if err == nil {
			reader.Close()
		}
		return none, err
	})
	return err
}

// sameName reports whether the broker refuses a subscription because there is one with its name, durable where the
// other one is not. The client has the broker's word for it as text only.
func sameName(err error) bool {
	return err != nil && strings.Contains(strings.ToLower(err.Error()), "durable subscription with the same name")
}
