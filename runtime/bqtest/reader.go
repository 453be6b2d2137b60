package bqtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// reader is a pulsar.Reader: an exclusive, non-durable consumer that acknowledges what it hands out.
type reader struct {
	pulsar.Reader // nil; a newer client's interface still compiles

	c *consumer
}

// CreateReader makes a reader.
func (cl *client) CreateReader(opts pulsar.ReaderOptions) (pulsar.Reader, error) {
	switch {
	case opts.Topic == "":
		return nil, wire.ClientError(pulsar.InvalidConfiguration, "InvalidConfiguration", "Topic is required")
	case opts.StartMessageID == nil:
		return nil, wire.ClientError(pulsar.InvalidConfiguration, "InvalidConfiguration", "StartMessageID is required")
	case opts.ReadCompacted:
		return nil, unsupported("create reader on %s: ReadCompacted", opts.Topic)
	case opts.MessageChannel != nil:
		return nil, unsupported("create reader on %s: MessageChannel", opts.Topic)
	}
	tn, err := wire.ParseTopic(opts.Topic)
	if err != nil {
		return nil, err
	}
	sub := opts.SubscriptionName
	if sub == "" {
		prefix := opts.SubscriptionRolePrefix
		if prefix == "" {
			prefix = "reader"
		}
		cl.b.lock()
		sub = prefix + "-" + cl.b.newName()
		cl.b.unlock()
	}
	consumerOpts := pulsar.ConsumerOptions{
		Decryption: opts.Decryption,
		Topic:      opts.Topic, Name: opts.Name, SubscriptionName: sub,
		Type: pulsar.Exclusive, SubscriptionMode: pulsar.NonDurable,
		ReceiverQueueSize: opts.ReceiverQueueSize, Schema: opts.Schema,
		StartMessageIDInclusive: opts.StartMessageIDInclusive,
		NackRedeliveryDelay:     time.Minute,
		BackOffPolicyFunc:       opts.BackoffPolicyFunc,
	}
	if err := prepareDecryption(&consumerOpts); err != nil {
		return nil, err
	}
	c := newConsumer(cl, consumerOpts)
	c.reads = true
	if c.opts.ReceiverQueueSize <= 0 {
		c.opts.ReceiverQueueSize = 1000
	}
	r := &reader{c: c}
	if err := c.subscribe([]wire.Topic{tn}, func(t *topic) int64 {
		return startAt(t, opts.StartMessageID, opts.StartMessageIDInclusive)
	}); err != nil {
		return nil, err
	}
	return r, nil
}

// Topic is the topic's name as it was given.
func (r *reader) Topic() string { return r.c.opts.Topic }

// Next waits for a message, for the end of ctx or for Close.
func (r *reader) Next(ctx context.Context) (pulsar.Message, error) { return r.c.Receive(ctx) }

// HasNext reports whether the topic has a message that Next has not returned.
func (r *reader) HasNext() bool {
	r.c.b.lock()
	defer r.c.b.unlock()
	if r.c.closed || r.c.b.down {
		return false
	}
	for _, l := range r.c.links {
		if l.sub.cursor.backlog > 0 {
			return true
		}
	}
	return false
}

func (r *reader) Close() { r.c.Close() }

func (r *reader) Seek(id pulsar.MessageID) error {
	if id.PartitionIdx() < 0 {
		return errors.New("seek msgId must include partitoinIndex")
	}
	return r.c.Seek(id)
}

func (r *reader) SeekByTime(at time.Time) error { return r.c.SeekByTime(at) }

func (r *reader) GetLastMessageID() (pulsar.MessageID, error) {
	if len(r.c.links) > 1 {
		return nil, fmt.Errorf("GetLastMessageID is not supported for multi-topics reader")
	}
	ids, err := r.c.GetLastMessageIDs()
	if err != nil {
		return nil, err
	}
	return ids[0].(topicMessageID).MessageID, nil
}
