package bq

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"sync/atomic"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A Stream is a consumer without handlers: its messages are pulled by a loop, and settled with [Delivery.Ack] and
// [Delivery.Fail]. Generated code contains a constructor for each queue, such as NewOrdersStream.
type Stream[P any] struct {
	consumer *Consumer
	out      chan *Message[P]
	running  context.Context // of the loop
	started  atomic.Bool
}

// NewStream returns a stream of the queue's messages. It does not talk to Pulsar before its messages are ranged over.
// It takes the options of consumers. WithConcurrency, WithUnordered and WithAckMode have no effect: messages are
// handed out one after the other in the order of receipt, also those of a key while earlier ones are not settled.
func NewStream[P any](
	client pulsar.Client, q Queue, payloads DecodingSet[P], opts ...ConsumerOption,
) (*Stream[P], error) {
	s := &Stream[P]{out: make(chan *Message[P])}
	var routes []Route
	for urn, d := range payloads.byURN {
		routes = append(routes, Route{urn: urn, open: func() call { return &streamCall[P]{stream: s, decoding: d} }})
	}
	c, err := NewConsumer(client, q, Routes(routes...), append(opts[:len(opts):len(opts)], asStream)...)
	if err != nil {
		return nil, err
	}
	s.consumer = c
	return s, nil
}

var asStream = consumerOption(func(c *consumerConfig) { c.concurrency, c.unordered, c.ackMode = 1, true, AckManual })

// Consumer returns the consumer behind the stream, for Ready, Status, Pause and Resume. It must not be run.
func (s *Stream[P]) Consumer() *Consumer { return s.consumer }

// Messages subscribes and returns the messages. Each is to be settled once, by Ack or Fail, in any order and from any
// goroutine; what is said later has no effect. Nothing is received beyond [WithMaxUnsettled], so a slow loop is the
// backpressure. Messages that cannot be decoded are settled as by any consumer, and not yielded.
//
// The loop ends when ctx ends, after the messages that were handed out are settled or the grace period is over, and
// when the consumer fails. Then the last thing that it yields is an error with a nil message, unless all is well.
// Leaving the loop, also by a panic, ends the consumer at once: what is not settled is delivered again, with no attempt
// counted. A second loop yields an error only.
//
// Middleware runs around the handing out. The time of [WithHandlerTimeout] starts when a message is handed out and runs
// until it is settled.
func (s *Stream[P]) Messages(ctx context.Context) iter.Seq2[*Message[P], error] {
	return func(yield func(*Message[P], error) bool) {
		if s.started.Swap(true) {
			yield(nil, fmt.Errorf("stream of queue %s: it was ranged over before", s.consumer.queue.Name))
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		s.running = ctx
		done := make(chan error, 1)
		go func() { done <- s.consumer.Run(ctx) }()
		left := true
		defer func() {
			if !left {
				return
			}
			if f := s.consumer.flow.Load(); f != nil {
				f.Hurry()
			}
			cancel()
			<-done
		}()
		for {
			select {
			case m := <-s.out:
				if !yield(m, nil) {
					return
				}
			case err := <-done:
				left = false
				if err != nil {
					yield(nil, err)
				}
				return
			}
		}
	}
}

// A streamCall hands a message out.
type streamCall[P any] struct {
	d        Delivery
	stream   *Stream[P]
	decoding Decoding[P]
}

func (c *streamCall[P]) delivery() *Delivery { return &c.d }

func (c *streamCall[P]) handle(ctx context.Context, d *Delivery) error {
	m := &Message[P]{Delivery: *d}
	var err error
	if m.Data, err = c.decoding.decode(d.data); err != nil {
		return &refusedPayloadError{err: err}
	}
	consumer := c.stream.consumer
	timeout := consumer.config.timeoutOf(d.URN)
	if timeout > 0 {
		_ = d.Extend(math.MaxInt64) // waiting is not being late
	}
	select {
	case c.stream.out <- m:
	case <-c.stream.running.Done():
		return errNotHandedOut
	}
	if timeout > 0 {
		_ = d.Extend(timeout)
	}
	return nil
}

// errNotHandedOut releases a message whose stream has ended.
var errNotHandedOut = errors.Join(errors.New("the stream has ended"), context.Canceled)
