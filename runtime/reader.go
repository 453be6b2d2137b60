package bq

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/reader"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
	"github.com/babelqueue/bqgen/runtime/internal/read"
)

// Read returns the messages of a queue's topic, each of the topic's partitions in order. It has no subscription that
// lasts, acknowledges nothing and publishes nothing, so consumers of the queue notice nothing of it. Generated code
// contains a function for each queue that calls it, such as ReadOrders.
//
// By default it starts at the oldest message and ends at the message that was the last one when it started; see
// [FromTime], [FromID], [FromLatest] and [Follow]. Retries that were published again are messages like others, with
// Attempts over 0.
//
// A message that cannot be decoded is an [*UnreadableError], with a nil message, and the loop goes on with the next
// one. Any other error is the last thing that Read yields: the loop ends after it. So a loop that logs errors and
// continues reads everything that can be read. Without [Follow], a loop that ends without such an error has read all:
// if the broker cannot be reached for longer than [WithReadTimeout], that is an error and not the end. The end of ctx
// is an error too.
//
// When the client reconnects, Read goes on behind the last message that it yielded: none is left out, and none yielded
// twice.
func Read[P any](
	ctx context.Context, client pulsar.Client, q Queue, payloads DecodingSet[P], opts ...ReaderOption,
) iter.Seq2[*Message[P], error] {
	return func(yield func(*Message[P], error) bool) {
		config, err := newReaderConfig(ctx, client, q, opts)
		if err != nil {
			yield(nil, fmt.Errorf("read queue %s: %w", q.Name, err))
			return
		}
		for msg, err := range read.Messages(ctx, config.read) {
			if err != nil {
				yield(nil, fmt.Errorf("read queue %s: %w", q.Name, err))
				return
			}
			m, err := decode(msg, payloads, &config)
			if !yield(m, err) {
				return
			}
		}
	}
}

// decode returns what a message contains, or an *UnreadableError.
func decode[P any](msg pulsar.Message, payloads DecodingSet[P], c *readerConfig) (*Message[P], error) {
	known := func(context.Context, *flow.Verdict, pulsar.Message) error { return nil }
	v := flow.Classify(msg, func(urn string) flow.Handler {
		if _, ok := payloads.byURN[urn]; !ok {
			return nil
		}
		return known
	}, c.accept)
	m := &Message[P]{Delivery: newDelivery(&v, msg)}
	m.schemas = c.schemas
	err, reason := v.Err, reasonOf(v.Kind)
	if v.Kind == flow.IsRouted {
		m.Data, err = payloads.byURN[v.URN].decode(v.Envelope.Data)
	}
	if err != nil {
		return nil, &UnreadableError{Delivery: m.Delivery, Body: msg.Payload(), Reason: reason, Err: err}
	}
	return m, nil
}

// reasonOf returns why a kind of message cannot be read.
func reasonOf(k flow.Kind) envelope.Reason {
	switch k {
	case flow.IsGated:
		return Gated
	case flow.IsPoison:
		return envelope.Poison
	case flow.IsUnhandled:
		return envelope.UnknownURN
	case flow.IsEncrypted:
		return Undecryptable
	}
	return envelope.Failed
}

// An UnreadableError says that a message was read whose payload cannot be decoded. The next one may be fine.
type UnreadableError struct {
	Delivery Delivery
	Body     []byte // of the message, as it was received
	// Reason is Gated for another version of the envelope, envelope.Poison for a body that is not an acceptable
	// envelope, envelope.UnknownURN for a URN that the queue does not have in the catalog, Undecryptable, or
	// envelope.Failed for a payload that violates its schema.
	Reason envelope.Reason
	Err    error // what is wrong
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("message %s of %s cannot be read: %v", e.Delivery.MessageID, e.Delivery.Topic, e.Err)
}

// Unwrap returns what is wrong, such as a *PayloadError.
func (e *UnreadableError) Unwrap() error { return e.Err }

// newReaderConfig returns what is wrong with the queue and all options together.
func newReaderConfig(
	ctx context.Context, client pulsar.Client, q Queue, opts []ReaderOption,
) (readerConfig, error) {
	c := readerConfig{accept: envelope.Parse}
	c.read = read.Config{
		Client: client, Topic: q.Topic, Timeout: defaultReadTimeout, Discovery: readDiscovery,
		Start: reader.Earliest(),
	}
	for _, o := range opts {
		o.applyToReader(&c)
	}
	q, err := c.topics.resolve(ctx, q)
	c.errs = append(c.errs, err)
	c.read.Topic = q.Topic
	c.read.Options, err = c.customizeReader()
	errs := append(c.errs, q.check(), err)
	if client == nil {
		errs = append(errs, errors.New("there is no client to read with"))
	}
	if c.read.Timeout <= 0 {
		errs = append(errs, fmt.Errorf("WithReadTimeout is %s, want more than 0", c.read.Timeout))
	}
	if c.starts > 1 {
		errs = append(errs, errors.New("there are several starts: give one of FromLatest, FromLast, FromID, AfterID and "+
			"FromTime"))
	}
	return c, errors.Join(errs...)
}
