package bq

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// maxErrorText bounds the error text in a dead letter, in characters, so that a record does not outgrow what Pulsar takes.
const maxErrorText = 4096

// An acknowledger is what the executor needs of a pulsar.Consumer.
type acknowledger interface {
	Ack(pulsar.Message) error
	Nack(pulsar.Message)
	NackID(pulsar.MessageID)
}

// A sender publishes to a topic and returns by a deadline.
type sender func(ctx context.Context, topic string, msg *pulsar.ProducerMessage) (pulsar.MessageID, error)

// An executor carries settlements out. Whatever replaces a message is confirmed before the message is acknowledged.
type executor struct {
	consumer        acknowledger
	retry           sender
	deadLetter      sender
	deadLetterTopic string
	byNack          bool // retries are negative acknowledgements
	keeps           bool // what could not be replaced is kept to be settled again, not negatively acknowledged
	timers          nackTimers
	ackTimeout      time.Duration
}

// do carries out s and returns what was done in the end: s.action, or Returned when that failed. The error then says
// why. An error beside s.action is a failed acknowledgement, which changes nothing (SET-9).
func (x *executor) do(ctx context.Context, msg pulsar.Message, v verdict, s settlement) (Action, error) {
	var err error
	switch s.action {
	case Released:
		return Released, nil
	case Retried:
		if x.byNack { // RET-7
			x.timers.after(msg.ID(), s.delay, func() { x.nack(msg) })
			return Retried, nil
		}
		_, err = x.retry(ctx, topic.WithoutPartition(msg.Topic()), replacement(msg, retryBody(msg, v, s), onTheWire(s.counted), s.delay))
	case DeadLettered:
		err = x.putAway(ctx, msg, v, s)
	}
	if err != nil {
		if !x.keeps {
			x.nack(msg) // SET-3, SET-7, SET-8, RET-6
		}
		return Returned, fmt.Errorf("publish what replaces it: %w", err)
	}
	return s.action, x.ack(msg)
}

// nack negatively acknowledges msg. Of a message in chunks the client's Nack would give back the last chunk only.
func (x *executor) nack(msg pulsar.Message) {
	if id := msg.ID(); fmt.Sprintf("%T", id) == "*pulsar.chunkMessageID" {
		x.consumer.NackID(id)
		return
	}
	x.consumer.Nack(msg)
}

// putAway publishes a message's dead letter. One that is too large for Pulsar is published without its error text.
func (x *executor) putAway(ctx context.Context, msg pulsar.Message, v verdict, s settlement) error {
	if s.reason == Gated {
		_, err := x.deadLetter(ctx, x.deadLetterTopic, replacement(msg, msg.Payload(), keepAttempts, 0)) // GATE-5
		return err
	}
	letter := deadLetterOf(msg, v, s, time.Now())
	_, err := x.deadLetter(ctx, x.deadLetterTopic, replacement(msg, recordOf(msg, v, letter), letter.Attempts, 0))
	if errors.Is(err, pulsar.ErrMessageTooLarge) {
		letter.Error, letter.Exception = "", ""
		_, err = x.deadLetter(ctx, x.deadLetterTopic, replacement(msg, recordOf(msg, v, letter), letter.Attempts, 0))
	}
	return err
}

// onTheWire returns a count as it may be written: others read an int32 (ATT-1, ATT-7).
func onTheWire(counted int64) int64 { return min(counted, math.MaxInt32) }

// keepAttempts leaves the bq-attempts property as it is.
const keepAttempts = -1

// replacement returns the message that takes msg's place: with its key, ordering key, event time and all its
// properties, but for bq-attempts (RET-1, RET-4). The sequence id is not copied: deduplication would drop the message.
func replacement(msg pulsar.Message, body []byte, counted int64, delay time.Duration) *pulsar.ProducerMessage {
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
	return out
}

// ack acknowledges msg. The client waits for the broker without a bound, so the bound is here.
func (x *executor) ack(msg pulsar.Message) error {
	var err error
	if !bounded(x.ackTimeout, func() {
		err = protect(func() error { return x.consumer.Ack(msg) }) // of the user's interceptors
	}) {
		return fmt.Errorf("acknowledge: no confirmation within %s", x.ackTimeout)
	}
	if err != nil {
		return fmt.Errorf("acknowledge: %w", err)
	}
	return nil
}

// retryBody returns the body of a retry: with one more attempt (RET-1), or as it came when it is poison (RET-2).
func retryBody(msg pulsar.Message, v verdict, s settlement) []byte {
	if v.kind == isPoison {
		return msg.Payload()
	}
	return v.envelope.WithAttempts(onTheWire(s.counted))
}

// deadLetterOf returns the block that says why a message was given up.
func deadLetterOf(msg pulsar.Message, v verdict, s settlement, now time.Time) envelope.DeadLetter {
	letter := envelope.DeadLetter{
		Reason:        s.reason,
		FailedAt:      now,
		OriginalQueue: queueOf(msg.Topic()), // DLQ-5
		Attempts:      onTheWire(s.counted),
	}
	if s.err != nil {
		letter.Error = text.Shorten(s.err.Error(), maxErrorText)
		letter.Exception = exception(s.err)
	}
	if s.reason != envelope.Poison && v.envelope.Meta.Queue != "" {
		letter.OriginalQueue = v.envelope.Meta.Queue
	}
	return letter
}

// recordOf returns the body of a dead letter (DLQ-3, POI-2).
func recordOf(msg pulsar.Message, v verdict, letter envelope.DeadLetter) []byte {
	if letter.Reason == envelope.Poison {
		return envelope.PoisonRecord(msg.Payload(), letter)
	}
	return v.envelope.DeadLettered(letter)
}
