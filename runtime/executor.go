package bq

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// maxErrorText bounds the error text in a dead letter, in bytes, so that a record does not outgrow what Pulsar takes.
const maxErrorText = 4096

// An acknowledger is what the executor needs of a pulsar.Consumer.
type acknowledger interface {
	Ack(pulsar.Message) error
	Nack(pulsar.Message)
}

// An executor carries settlements out. Whatever replaces a message is confirmed before the message is acknowledged.
type executor struct {
	consumer   acknowledger
	producers  *Producers
	deadLetter string // topic
	ackTimeout time.Duration
}

// do carries out s and returns what was done in the end: s.action, or Returned when that failed. The error then says
// why. An error beside s.action is a failed acknowledgement, which changes nothing (SET-9).
func (x *executor) do(ctx context.Context, msg pulsar.Message, v verdict, s settlement) (Action, error) {
	var err error
	switch s.action {
	case Released:
		return Released, nil
	case Retried:
		err = x.publish(ctx, msg, withoutPartition(msg.Topic()), retryBody(msg, v, s), s.counted, s.delay)
	case DeadLettered:
		counted := s.counted
		if s.reason == Gated {
			counted = keepAttempts // GATE-5
		}
		err = x.publish(ctx, msg, x.deadLetter, deadLetterBody(msg, v, s, time.Now()), counted, 0)
	}
	if err != nil {
		x.consumer.Nack(msg) // SET-3, SET-7, SET-8, RET-6
		return Returned, fmt.Errorf("publish what replaces it: %w", err)
	}
	return s.action, x.ack(msg)
}

// keepAttempts leaves the bq-attempts property as it is.
const keepAttempts = -1

// publish sends body in place of msg: with its key, ordering key, event time and all its properties, but for
// bq-attempts (RET-1, RET-4). The sequence id is not copied: deduplication would drop the message.
func (x *executor) publish(ctx context.Context, msg pulsar.Message, topic string, body []byte, counted int64, delay time.Duration) error {
	properties := maps.Clone(msg.Properties())
	if counted != keepAttempts {
		if properties == nil {
			properties = make(map[string]string, 1)
		}
		properties[envelope.PropertyAttempts] = strconv.FormatInt(counted, 10)
	}
	out := &pulsar.ProducerMessage{
		Payload:     body,
		Key:         msg.Key(),
		OrderingKey: msg.OrderingKey(),
		Properties:  properties,
	}
	if t := msg.EventTime(); t.UnixMilli() > 0 { // the client says 1970 when there is none
		out.EventTime = t
	}
	if delay > 0 {
		out.DeliverAfter = delay
	}
	// Shutdown does not cut settling short; the send timeout bounds it.
	_, err := x.producers.send(context.WithoutCancel(ctx), topic, out)
	return err
}

// ack acknowledges msg. The client waits for the broker without a bound, so the bound is here.
func (x *executor) ack(msg pulsar.Message) error {
	done := make(chan error, 1)
	go func() { done <- x.consumer.Ack(msg) }()
	timeout := time.NewTimer(x.ackTimeout)
	defer timeout.Stop()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("acknowledge: %w", err)
		}
		return nil
	case <-timeout.C:
		return fmt.Errorf("acknowledge: no confirmation within %s", x.ackTimeout)
	}
}

// retryBody returns the body of a retry: with one more attempt (RET-1), or as it came when it is poison (RET-2).
func retryBody(msg pulsar.Message, v verdict, s settlement) []byte {
	if v.kind == isPoison {
		return msg.Payload()
	}
	return v.envelope.WithAttempts(s.counted)
}

// deadLetterBody returns the body of a dead letter (DLQ-3, POI-2), which for a gated message is its own (GATE-5).
func deadLetterBody(msg pulsar.Message, v verdict, s settlement, now time.Time) []byte {
	if s.reason == Gated {
		return msg.Payload()
	}
	letter := envelope.DeadLetter{
		Reason:        s.reason,
		FailedAt:      now,
		OriginalQueue: queueOf(msg.Topic()), // DLQ-5
		Attempts:      s.counted,
	}
	if s.err != nil {
		letter.Error = s.err.Error()
		letter.Error = letter.Error[:min(len(letter.Error), maxErrorText)] // what a cut leaves of a character becomes U+FFFD
		letter.Exception = exception(s.err)
	}
	if s.reason == envelope.Poison {
		return envelope.PoisonRecord(msg.Payload(), letter)
	}
	if v.envelope.Meta.Queue != "" {
		letter.OriginalQueue = v.envelope.Meta.Queue
	}
	return v.envelope.DeadLettered(letter)
}

// exception returns the type of the innermost error, which is what went wrong; what is around it only says where.
func exception(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return fmt.Sprintf("%T", err)
		}
		err = inner
	}
}
