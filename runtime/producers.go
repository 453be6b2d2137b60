package bq

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// closeTimeout limits Close.
const closeTimeout = 25 * time.Second

// ErrClosed is the error of publishing after Close.
var ErrClosed = errors.New("the publishers are closed")

// Producers contains the Pulsar producers that publishers share: one for each topic, created when a message is first
// published to the topic. It is safe for concurrent use.
type Producers struct {
	client pulsar.Client
	config publisherConfig

	mu      sync.Mutex
	byTopic map[string]*producer
	closed  bool
	sending sync.WaitGroup // messages that are being sent
}

// A producer is a Pulsar producer that exists or is being created. The channel created is closed when creating it has
// succeeded or failed.
type producer struct {
	pulsar.Producer
	started time.Time
	created chan struct{}
	err     error
}

// NewProducers returns Producers that use client, which the caller closes afterwards. It does not connect to Pulsar
// yet.
func NewProducers(client pulsar.Client, opts ...PublisherOption) *Producers {
	return newProducers(client, newPublisherConfig(opts))
}

func newProducers(client pulsar.Client, config publisherConfig) *Producers {
	return &Producers{client: client, config: config, byTopic: make(map[string]*producer)}
}

// Close waits for messages that are being published and closes the producers, all side by side. It returns when that is
// done, when ctx ends or after 25 s, whichever is first; an error says what was still open then. Whether a message that
// was still pending was stored is unknown. From the call of Close on, publishing fails with [ErrClosed]. It is safe to
// call Close more than once.
func (p *Producers) Close(ctx context.Context) error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	cause := fmt.Errorf("it took longer than %s: %w", closeTimeout, context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(ctx, closeTimeout, cause)
	defer cancel()
	if !boundedBy(ctx, p.sending.Wait) {
		return fmt.Errorf("close the publishers: messages are still pending: %w", context.Cause(ctx))
	}
	p.mu.Lock()
	producers := p.byTopic
	p.byTopic = nil
	p.mu.Unlock()
	var closing sync.WaitGroup
	for _, producer := range producers {
		select {
		case <-producer.created:
			if producer.err == nil {
				closing.Go(producer.Close)
			}
		default: // create closes it
		}
	}
	if !boundedBy(ctx, closing.Wait) {
		return fmt.Errorf("close the publishers: the client is still closing producers: %w", context.Cause(ctx))
	}
	return nil
}

// send publishes msg to topic and waits for the broker to confirm it, for the send timeout at most.
func (p *Producers) send(ctx context.Context, topic string, msg *pulsar.ProducerMessage) (pulsar.MessageID, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	p.sending.Add(1)
	p.mu.Unlock()
	defer p.sending.Done()
	return sendBounded(ctx, p.config.sendTimeout, func(ctx context.Context) (pulsar.MessageID, error) {
		producer, err := p.get(ctx, topic)
		if err != nil {
			return nil, err
		}
		id, err := producer.Send(ctx, msg)
		if errors.Is(err, pulsar.ErrProducerClosed) || errors.Is(err, pulsar.ErrProducerFenced) {
			if p.forget(topic, producer) { // it will not recover, so the next message gets a new one
				go producer.Close()
			}
		}
		return id, err
	})
}

// sendBounded calls send with a deadline and returns at the deadline, whatever send does.
func sendBounded(
	ctx context.Context, limit time.Duration, send func(context.Context) (pulsar.MessageID, error),
) (pulsar.MessageID, error) {
	late := fmt.Errorf("no confirmation within %s: %w", limit, context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	type result struct {
		id  pulsar.MessageID
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = protect(func() (err error) { // from panics of the user's interceptors and routers
			r.id, err = send(ctx)
			return err
		})
		done <- r
	}()
	select {
	case r := <-done:
		if r.err != nil && ctx.Err() != nil {
			r.err = context.Cause(ctx)
		}
		return r.id, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx) // the client can ignore its context, for example while its queue is full
	}
}

// get returns the producer of a topic. If ctx ends before it is created, creating goes on, for the next caller. A
// producer that takes longer than the send timeout is given up.
func (p *Producers) get(ctx context.Context, topic string) (*producer, error) {
	p.mu.Lock()
	if p.byTopic == nil {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	entry, ok := p.byTopic[topic]
	if !ok {
		entry = &producer{started: time.Now(), created: make(chan struct{})}
		p.byTopic[topic] = entry
		go p.create(topic, entry)
	}
	p.mu.Unlock()
	select {
	case <-entry.created:
		return entry, entry.err
	case <-ctx.Done():
		if time.Since(entry.started) >= p.config.sendTimeout {
			p.forget(topic, entry)
		}
		return nil, context.Cause(ctx)
	}
}

// create creates the producer of a topic. If it was given up or Close was called in the meantime, create closes it.
func (p *Producers) create(topic string, entry *producer) {
	entry.err = protect(func() (err error) { // from panics of the user's function
		options, err := p.config.producerOptions(topic)
		if err != nil {
			return err
		}
		entry.Producer, err = p.client.CreateProducer(options)
		return err
	})
	if entry.err != nil {
		entry.err = fmt.Errorf("create a producer for %s: %w", topic, entry.err)
		p.forget(topic, entry)
	}
	close(entry.created)
	p.mu.Lock()
	wanted := p.byTopic[topic] == entry
	p.mu.Unlock()
	if !wanted && entry.err == nil {
		entry.Close()
	}
}

// forget removes the producer of a topic if it is still entry, and reports whether it was. The next message to the
// topic gets a new one.
func (p *Producers) forget(topic string, entry *producer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	current := p.byTopic[topic] == entry
	if current {
		delete(p.byTopic, topic)
	}
	return current
}
