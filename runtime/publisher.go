package bq

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A Publisher publishes the messages of one URN. Generated code contains one for each URN. It is safe for concurrent
// use.
type Publisher[T any] struct {
	producers  *Producers
	definition Definition[T]
	queue      string
}

// NewPublisher returns the publisher of d's URN, which uses the producers of p.
func NewPublisher[T any](p *Producers, d Definition[T]) *Publisher[T] {
	return &Publisher[T]{producers: p, definition: d, queue: queueOf(d.Queue.Topic)}
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
	msg, header, err := p.message(ctx, payload, opts)
	if err != nil {
		return PublishResult{}, fmt.Errorf("publish %s: %w", p.definition.URN, err)
	}
	result := PublishResult{ID: header.ID, TraceID: header.TraceID}
	id, err := p.producers.send(ctx, p.definition.Queue.Topic, msg)
	if err != nil {
		return result, fmt.Errorf("publish %s to %s: %w", p.definition.URN, p.definition.Queue.Topic, err)
	}
	result.MessageID = id
	return result, nil
}

// message returns the message for Pulsar.
func (p *Publisher[T]) message(
	ctx context.Context, payload T, opts []PublishOption,
) (*pulsar.ProducerMessage, envelope.Header, error) {
	var config publishConfig
	for _, o := range opts {
		o.applyToPublish(&config)
	}
	traceID := TraceID(ctx)
	if config.traceID != nil {
		traceID = *config.traceID
	}
	header, err := envelope.NewHeader(p.definition.URN, traceID, p.queue, time.Now())
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
