package reader

import (
	"cmp"
	"context"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"
)

// This file owns non-persistent topics, which keep nothing: there is nothing to start at and no end, only what comes.
// All their messages have the same id. The client's reader acknowledges what it returns and takes what comes within the
// next 100 ms for copies of that, so it is a consumer that listens, and acknowledges nothing.

// A listener is a consumer of a non-persistent topic.
type listener struct{ pulsar.Consumer }

func (l listener) Next(ctx context.Context) (pulsar.Message, error) { return l.Receive(ctx) }

// listen makes a consumer with the options of a reader.
func (c *Config) listen(ctx context.Context, o pulsar.ReaderOptions) (source, error) {
	options := pulsar.ConsumerOptions{
		Topic: c.Topic, Name: o.Name, SubscriptionName: o.SubscriptionName,
		Type: pulsar.Exclusive, SubscriptionMode: pulsar.NonDurable,
		ReceiverQueueSize: o.ReceiverQueueSize, Properties: o.Properties, Schema: o.Schema,
		Decryption: ownDecryption(o.Decryption), BackOffPolicyFunc: o.BackoffPolicyFunc,
		MaxPendingChunkedMessage: o.MaxPendingChunkedMessage, ExpireTimeOfIncompleteChunk: o.ExpireTimeOfIncompleteChunk,
		AutoAckIncompleteChunk: o.AutoAckIncompleteChunk,
	}
	if options.SubscriptionName == "" {
		options.SubscriptionName = cmp.Or(o.SubscriptionRolePrefix, "reader") + "-" + uuid.NewString()
	}
	consumer, err := Ask(ctx, c.Timeout, func() (pulsar.Consumer, error) {
		return c.Client.Subscribe(options)
	}, pulsar.Consumer.Close)
	if err != nil {
		return nil, err
	}
	return listener{consumer}, nil
}
