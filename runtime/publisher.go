package bq

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A Publisher publishes the messages of one URN. Generated code contains one for each URN. It is safe for concurrent
// use.
type Publisher[T any] struct {
	producers  *Producers
	definition Definition[T]
	target     atomic.Pointer[target]
}

// A target is where a publisher's messages go.
type target struct {
	topic string
	queue string // the name in envelopes
}

// NewPublisher returns the publisher of d's URN, which uses the producers of p.
func NewPublisher[T any](p *Producers, d Definition[T]) *Publisher[T] {
	return &Publisher[T]{producers: p, definition: d}
}

// where returns where the messages go: to the queue's topic, or what replaces it.
func (p *Publisher[T]) where(ctx context.Context) (*target, error) {
	if known := p.target.Load(); known != nil {
		return known, nil
	}
	q, err := p.producers.config.topics.resolve(ctx, p.definition.Queue)
	if err == nil && len(p.producers.config.topics) > 0 {
		err = q.check()
	}
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", q.Name, err)
	}
	t := &target{topic: q.Topic, queue: queueOf(q.Topic)}
	p.target.Store(t)
	return t, nil
}

// A PublishResult contains the identities of a published message.
type PublishResult struct {
	ID        string           // meta.id, by which consumers recognize the message (ENV-18)
	TraceID   string           // trace_id
	MessageID pulsar.MessageID // Pulsar's id; nil after an error
}

// Publish sends a message and returns when the broker has confirmed it.
//
// If the payload violates its schema or cannot be encoded, the error is a [*PayloadError] and nothing is sent. After
// another error the message may have been stored, its confirmation late or lost. Then the result contains the ID and
// TraceID that the message would have.
func (p *Publisher[T]) Publish(ctx context.Context, payload T, opts ...PublishOption) (PublishResult, error) {
	to, err := p.where(ctx)
	if err != nil {
		return PublishResult{}, fmt.Errorf("publish %s: %w", p.definition.URN, err)
	}
	msg, header, err := p.message(ctx, to, payload, opts)
	if err != nil {
		return PublishResult{}, fmt.Errorf("publish %s: %w", p.definition.URN, err)
	}
	result := PublishResult{ID: header.ID, TraceID: header.TraceID}
	id, err := p.producers.send(ctx, to.topic, msg)
	if err != nil {
		return result, fmt.Errorf("publish %s to %s: %w", p.definition.URN, to.topic, err)
	}
	result.MessageID = id
	return result, nil
}

// message returns the message for Pulsar.
func (p *Publisher[T]) message(
	ctx context.Context, to *target, payload T, opts []PublishOption,
) (*pulsar.ProducerMessage, envelope.Header, error) {
	var config publishConfig
	for _, o := range opts {
		o.applyToPublish(&config)
	}
	traceID := TraceID(ctx)
	if config.traceID != nil {
		traceID = *config.traceID
	}
	header, err := envelope.NewHeader(p.definition.URN, traceID, to.queue, time.Now())
	if err != nil {
		return nil, header, err
	}
	header.ExtraMeta = config.meta
	body, err := encodeEnvelope(&p.definition, header, &payload)
	if err != nil {
		return nil, header, err
	}
	msg := &pulsar.ProducerMessage{Payload: body, Properties: header.Properties()}
	for name, value := range config.properties {
		if _, taken := msg.Properties[name]; !taken && !envelope.Blank(name) && !envelope.Blank(value) {
			msg.Properties[name] = value
		}
	}
	switch {
	case config.key != nil:
		msg.Key = *config.key
	case p.definition.Key != nil:
		msg.Key = p.definition.Key(&payload)
	}
	if config.delay > 0 {
		msg.DeliverAfter = config.delay
	}
	return msg, header, nil
}
