package flow

import (
	"maps"
	"math"
	"strconv"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// This file owns the messages that replace others: retries and dead letters. It is pure.

// MaxErrorText bounds the error text in a dead letter, in characters, so that a record does not outgrow what Pulsar
// takes.
const MaxErrorText = 4096

// MaxLogError bounds what a log line shows of an error, in characters.
const MaxLogError = 1000

// onTheWire returns a count as it may be written: others read an int32 (ATT-1, ATT-7).
func onTheWire(counted int64) int64 { return min(counted, math.MaxInt32) }

// keepAttempts leaves the bq-attempts property as it is.
const keepAttempts = -1

// replacement returns the message that takes msg's place: with its key, ordering key, event time (RET-1, RET-4) and all
// its properties except bq-attempts (RET-3, RTE-11, DLQ-7). The sequence id is not copied: deduplication would drop the
// message.
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

// retryOf returns the message that retries msg: with one more attempt (RET-1), or as it came when it is poison (RET-2).
// The only delay is that of the backoff or the handler (DLY-2).
func retryOf(msg pulsar.Message, v Verdict, d decision) *pulsar.ProducerMessage {
	body := msg.Payload()
	if v.Kind != IsPoison {
		body = v.Envelope.WithAttempts(onTheWire(d.counted))
	}
	return replacement(msg, body, onTheWire(d.counted), d.delay)
}

// deadLetterOf returns the dead letter of msg, which came from a queue with this topic. A brief one has no error text,
// for a record that is too large.
func deadLetterOf(
	msg pulsar.Message, queue string, v Verdict, d decision, now time.Time, brief bool,
) *pulsar.ProducerMessage {
	if d.reason == Gated {
		return replacement(msg, msg.Payload(), keepAttempts, 0) // GATE-5
	}
	block := blockOf(queue, v, d, now)
	if brief {
		block.Error, block.Exception = "", ""
	}
	return replacement(msg, recordOf(msg, v, block), block.Attempts, 0)
}

// blockOf returns the block that says why a message from a queue with this topic was given up.
func blockOf(queue string, v Verdict, d decision, now time.Time) envelope.DeadLetter {
	block := envelope.DeadLetter{
		Reason:        d.reason,
		FailedAt:      now,
		OriginalQueue: topic.LastSegment(topic.WithoutPartition(queue)), // DLQ-5, FAN-3
		Attempts:      onTheWire(d.counted),                             // DLQ-4, POI-4
	}
	if d.err != nil {
		block.Error = text.Shorten(d.err.Error(), MaxErrorText)
		block.Exception = exception(d.err)
	}
	if d.reason != envelope.Poison && v.Envelope.Meta.Queue != "" {
		block.OriginalQueue = v.Envelope.Meta.Queue
	}
	return block
}

// recordOf returns the body of a dead letter (DLQ-3, POI-2).
func recordOf(msg pulsar.Message, v Verdict, block envelope.DeadLetter) []byte {
	if block.Reason == envelope.Poison {
		return envelope.PoisonRecord(msg.Payload(), block)
	}
	return v.Envelope.DeadLettered(block)
}
