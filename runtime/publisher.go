package bq

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/send"
)

// A Publisher publishes the messages of one URN. Generated code contains one for each URN. It is safe for concurrent
// use. Messages reach their topic in the order of the calls, whichever methods are called.
type Publisher[T any] struct {
	producers  *Producers
	definition Definition[T]
	target     atomic.Pointer[target]
	bodySize   atomic.Int32 // of the last message
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
	config := &p.producers.config
	if config.refused != nil {
		return nil, config.refused
	}
	q, err := config.topics.resolve(ctx, p.definition.Queue)
	if err == nil && len(config.topics) > 0 {
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

// Publish sends a message and returns when the broker has confirmed it. With [WithBatching], messages of concurrent
// calls share batches.
//
// If the payload violates its schema or cannot be encoded, the error is a [*PayloadError] and nothing is sent. After
// another error the message may have been stored, its confirmation late or lost. Then the result contains the ID and
// TraceID that the message would have. A message that a policy of the topic refuses fails when the send timeout is
// over, since the Pulsar client does not report the refusal.
func (p *Publisher[T]) Publish(ctx context.Context, payload T, opts ...PublishOption) (PublishResult, error) {
	result, err := p.publish(ctx, &payload, opts)
	if err != nil {
		return result, p.failed(err)
	}
	return result, nil
}

func (p *Publisher[T]) publish(ctx context.Context, payload *T, opts []PublishOption) (PublishResult, error) {
	if p.producers.handler != nil {
		return p.publishInside(ctx, payload, opts)
	}
	it := new(send.Item)
	o, err := p.encode(ctx, payload, opts, &it.Message)
	result := o.result()
	if err == nil {
		result.MessageID, err = p.producers.send(ctx, o.topic, it)
	}
	return result, err
}

// publishInside is publish inside the middleware.
func (p *Publisher[T]) publishInside(ctx context.Context, payload *T, opts []PublishOption) (PublishResult, error) {
	o, err := p.prepare(ctx, payload, opts)
	if err != nil {
		return PublishResult{}, err
	}
	return p.handle(ctx, &o, func(ctx context.Context, o *OutgoingMessage) (PublishResult, error) {
		result, it := o.result(), new(send.Item)
		err := o.message(&it.Message)
		if err == nil {
			result.MessageID, err = p.producers.send(ctx, o.topic, it)
		}
		return result, err
	})
}

// failed returns an error of publishing that says what was published.
func (p *Publisher[T]) failed(err error) error {
	if to := p.target.Load(); to != nil {
		return fmt.Errorf("publish %s to %s: %w", p.definition.URN, to.topic, err)
	}
	return fmt.Errorf("publish %s: %w", p.definition.URN, err)
}

// handle has a message sent by deliver, inside the middleware.
func (p *Publisher[T]) handle(ctx context.Context, o *OutgoingMessage, deliver PublishHandler) (PublishResult, error) {
	o.deliver = deliver
	var result PublishResult
	err := protect(func() (err error) {
		result, err = p.producers.handler(ctx, o)
		return err
	})
	if !o.async {
		o.finish(result, err)
	}
	return result, err
}

// PublishAsync sends a message and returns without waiting for the broker: as soon as the message has its place among
// those that are sent, of which there are at most MaxPendingMessages for a topic (1,000, see [WithProducerOptions]). It
// waits for a place until ctx ends.
//
// done is called exactly once, with what Publish would have returned, whatever happens. It is called on a goroutine of
// the publisher's, one callback at a time for a topic, in the order in which the results become known. That is the
// order of the calls, except for messages that were not sent and across partitions. A callback may publish, flush and
// close. One that blocks holds up later callbacks of its topic, and, when many wait, PublishAsync. Its panic is logged.
// A nil done is allowed; then failures are logged.
func (p *Publisher[T]) PublishAsync(
	ctx context.Context, payload T, done func(PublishResult, error), opts ...PublishOption,
) {
	if done == nil {
		done = p.logFailure
	}
	if p.producers.handler != nil {
		p.publishAsyncInside(ctx, &payload, done, opts)
		return
	}
	s := newSending(p, done)
	o, err := p.encode(ctx, &payload, opts, &s.Message)
	s.id, s.traceID = o.header.ID, o.header.TraceID
	if err != nil {
		p.fail(s, err)
		return
	}
	s.seen = o.customized()
	p.producers.pool.Async(ctx, o.topic, &s.Item, s)
}

// publishAsyncInside is PublishAsync inside the middleware.
func (p *Publisher[T]) publishAsyncInside(
	ctx context.Context, payload *T, done func(PublishResult, error), opts []PublishOption,
) {
	s := &sending{publisher: p, done: done, seen: true}
	o, err := p.prepare(ctx, payload, opts)
	if err != nil {
		s.id, s.traceID = o.header.ID, o.header.TraceID
		p.fail(s, err)
		return
	}
	s.message, o.async = &o, true
	taken := false
	result, err := p.handle(ctx, &o, func(ctx context.Context, o *OutgoingMessage) (PublishResult, error) {
		result := o.result()
		if taken {
			return result, errors.New("a publish middleware called next twice for PublishAsync")
		}
		if err := o.message(&s.Message); err != nil {
			return result, err
		}
		taken = true
		s.id, s.traceID = result.ID, result.TraceID
		p.producers.pool.Async(ctx, o.topic, &s.Item, s)
		return result, nil
	})
	if !taken {
		o.finish(result, err)
		p.fail(&sending{publisher: p, done: done, seen: true, id: result.ID, traceID: result.TraceID}, err)
	}
}

// fail has the callback called for a message that is not sent.
func (p *Publisher[T]) fail(s *sending, err error) {
	topic := ""
	if to := p.target.Load(); to != nil {
		topic = to.topic
	}
	p.producers.pool.Fail(topic, s, err)
}

// logFailure is the callback of those who have none.
func (p *Publisher[T]) logFailure(_ PublishResult, err error) {
	if err != nil {
		p.producers.report("a message was not published", err)
	}
}

// PublishAll sends messages in order and returns when the broker has confirmed them or ctx ends. The results are those
// of the payloads, by index. If some fail, the error is a [*PublishAllError] that says which; the others are sent all
// the same. The options apply to each message; with [WithID] there may be one payload only.
func (p *Publisher[T]) PublishAll(ctx context.Context, payloads []T, opts ...PublishOption) ([]PublishResult, error) {
	results := make([]PublishResult, len(payloads))
	failed := &PublishAllError{Total: len(payloads)}
	fail := func(i int, err error) {
		failed.Failures = append(failed.Failures, PublishFailure{Index: i, Err: p.failed(err)})
	}
	if len(payloads) > 1 && configOf(opts).id != nil {
		return results, p.failed(errors.New("WithID sets the same id for several messages"))
	}
	if p.producers.handler != nil { // middleware sees each message's result before the next message
		for i := range payloads {
			var err error
			if results[i], err = p.publish(ctx, &payloads[i], opts); err != nil {
				fail(i, err)
			}
		}
		return results, failed.orNil()
	}
	started := make([]*send.Item, len(payloads)) // nil: it has failed
	for i := range payloads {
		it := new(send.Item)
		o, err := p.encode(ctx, &payloads[i], opts, &it.Message)
		results[i] = o.result()
		if err == nil {
			err = p.producers.pool.Start(ctx, o.topic, it, i == len(payloads)-1)
		}
		if err != nil {
			fail(i, err)
			continue
		}
		started[i] = it
	}
	if to := p.target.Load(); to != nil {
		p.producers.pool.Nudge(to.topic)
	}
	for i, it := range started {
		if it == nil {
			continue
		}
		var err error
		if results[i].MessageID, err = it.Wait(ctx); err != nil {
			fail(i, err)
		}
	}
	return results, failed.orNil()
}

// Message returns the complete message that Publish would send, without sending it: to be stored, together with what it
// is about, and sent later with [Producers.Send]. The ID is the message's for good. A delay counts from now.
// Middleware runs, with a next that sends nothing.
func (p *Publisher[T]) Message(ctx context.Context, payload T, opts ...PublishOption) (StoredMessage, error) {
	stored, err := p.message(ctx, &payload, opts)
	if err != nil {
		return StoredMessage{}, p.failed(err)
	}
	return stored, nil
}

func (p *Publisher[T]) message(
	ctx context.Context, payload *T, opts []PublishOption,
) (stored StoredMessage, err error) {
	urn := envelope.Trim(p.definition.URN)
	var msg pulsar.ProducerMessage
	if p.producers.handler == nil {
		o, err := p.encode(ctx, payload, opts, &msg)
		return newStoredMessage(o.topic, urn, o.result(), &msg), err
	}
	o, err := p.prepare(ctx, payload, opts)
	if err != nil {
		return stored, err
	}
	_, err = p.handle(ctx, &o, func(_ context.Context, o *OutgoingMessage) (PublishResult, error) {
		err := o.message(&msg)
		if err == nil {
			stored = newStoredMessage(o.topic, urn, o.result(), &msg)
		}
		return o.result(), err
	})
	if err == nil && stored.Topic == "" {
		err = errors.New("a publish middleware did not call next")
	}
	return stored, err
}
