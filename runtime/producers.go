package bq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/runtime/internal/flow"
	"github.com/babelqueue/bqgen/runtime/internal/send"
)

// ErrClosed is the error of publishing after Close.
var ErrClosed = errors.New("the publishers are closed")

// closeTimeout limits Close.
const closeTimeout = 25 * time.Second

// Producers contains the Pulsar producers that publishers share: one for each topic, created when a message is first
// published to the topic. Producers that are not in use are closed when there are more than [WithMaxProducers]. It is
// safe for concurrent use.
type Producers struct {
	config  publisherConfig
	pool    *send.Pool
	handler PublishHandler // the middleware; nil for none
}

// NewProducers returns Producers that use client, which the caller closes afterwards. It does not connect to Pulsar
// yet. What is wrong with the options is the error of publishing.
func NewProducers(client pulsar.Client, opts ...PublisherOption) *Producers {
	p := &Producers{config: newPublisherConfig(opts)}
	var err error
	p.handler, err = p.config.publishHandler()
	p.config.refused = errors.Join(p.config.refused, err)
	p.pool = send.NewPool(send.Config{
		Create: func(o pulsar.ProducerOptions) (pulsar.Producer, error) {
			if client == nil {
				return nil, errors.New("there is no client to publish with")
			}
			producer, err := client.CreateProducer(o)
			return producer, withSchema(err, o.Schema)
		},
		Options:  p.config.producerOptions,
		Forgets:  forgets,
		Timeout:  p.config.sendTimeout,
		Most:     p.config.maxProducers,
		Protect:  protect,
		Panicked: panicError,
		Report:   p.report,
		Closed:   ErrClosed,
	})
	return p
}

// report logs what no caller is told.
func (p *Producers) report(what string, err error) {
	p.config.logger.Error(what, slog.String("error", text.Shorten(err.Error(), flow.MaxLogError)),
		slog.String("stack", stackOf(err)))
}

// Flush sends what waits in batches. It returns when the results of all messages published before are known and their
// callbacks have returned, or when ctx ends. It returns nil even if messages failed: callbacks are told. Inside a
// callback it waits for results, not for callbacks. After Close it returns [ErrClosed].
func (p *Producers) Flush(ctx context.Context) error {
	if err := p.pool.Flush(ctx); err != nil {
		return fmt.Errorf("flush the publishers: %w", err)
	}
	return nil
}

// Close waits for the results of all messages, calls their callbacks and closes the producers of all topics side by
// side. It does not close the client. Close returns when that is done, when ctx ends or after 25 s, whichever is first.
// What has no result by then fails; the error says how many messages may or may not be stored. From the call of Close
// on, publishing fails with [ErrClosed]. Inside a callback, Close does not wait for callbacks. It is safe to call Close
// more than once.
func (p *Producers) Close(ctx context.Context) error {
	if err := p.pool.Close(ctx, closeTimeout); err != nil {
		return fmt.Errorf("close the publishers: %w", err)
	}
	return nil
}

// Send sends a message that [Publisher.Message] returned, under the same identity, and returns when the broker has
// confirmed it: the sending half of an outbox. Sent twice, it is a duplicate that consumers recognize by its ID.
func (p *Producers) Send(ctx context.Context, m StoredMessage) (PublishResult, error) {
	result := PublishResult{ID: m.ID, TraceID: m.TraceID}
	if err := m.check(); err != nil {
		return result, fmt.Errorf("send a stored message: %w", err)
	}
	it := &send.Item{Message: m.message()}
	id, err := p.send(ctx, m.Topic, it)
	if err != nil {
		return result, fmt.Errorf("send %s to %s: %w", m.ID, m.Topic, err)
	}
	result.MessageID = id
	return result, nil
}

// send publishes a message and waits for its result.
func (p *Producers) send(ctx context.Context, topic string, it *send.Item) (pulsar.MessageID, error) {
	if p.config.refused != nil {
		return nil, p.config.refused
	}
	if err := p.pool.Start(ctx, topic, it, true); err != nil {
		return nil, err
	}
	return it.Wait(ctx)
}
