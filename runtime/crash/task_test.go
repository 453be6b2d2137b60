package crash

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/payload"
)

const (
	taskURN = "urn:babel:tasks:given"
	// idProperty carries a task's number outside the body, for bodies that are not envelopes. Retries and dead letters
	// keep it.
	idProperty = "task"
)

// A task is the payload of a message. Its number determines its fate.
type task struct{ N int64 }

func (k *task) encode(e *payload.Encoder) {
	e.BeginObject()
	e.Member("n").Int64(k.N)
	e.EndObject()
}

func (k *task) decode(d *payload.Decoder) {
	d.Require("n")
	for name := range d.Object {
		if string(name) == "n" {
			d.Int64(&k.N)
		}
	}
}

func tasks(q bq.Queue) bq.Definition[task] {
	return bq.Definition[task]{
		URN: taskURN, Queue: q, Codec: payload.Codec[task]{Encode: (*task).encode, Decode: (*task).decode},
		Key: func(k *task) string { return fmt.Sprint(k.N % 7) },
	}
}

// A fate is what happens to a task.
type fate int

const (
	succeeds   fate = iota // at once
	isSlow                 // succeeds after a while
	recovers               // fails when it is delivered for the first time
	panics                 // as recovers, by a panic
	isHeldBack             // as recovers, and asks for a delay
	fails                  // always
	isRefused              // fails for good
	isPoison               // no envelope
	isGated                // of another envelope version
	isUnknown              // has a URN without a handler
	fates
)

// fateOf lets every second task succeed, half of them slowly, and distributes the other fates in turn.
func fateOf(n int64) fate {
	switch n % 4 {
	case 1:
		return succeeds
	case 3:
		return isSlow
	}
	return fate(n / 2 % int64(fates))
}

// reason returns why a task with this fate is dead-lettered, or "" when it must not be.
func (f fate) reason() string {
	switch f {
	case succeeds, isSlow:
		return ""
	case isPoison:
		return "poison"
	case isGated:
		return "gated"
	case isUnknown:
		return "unknown_urn"
	}
	return "failed"
}

// isRetried reports whether a task with this fate is delivered again when all goes well.
func (f fate) isRetried() bool { return f >= recovers && f <= fails }

// mayBeHandled reports whether a handler may complete a task with this fate.
func (f fate) mayBeHandled() bool { return f < fails }

// message returns the task as a raw message, for fates that the runtime's publisher cannot produce; nil for the others.
func (f fate) message(n int64) *pulsar.ProducerMessage {
	m := &pulsar.ProducerMessage{Key: fmt.Sprint(n % 7), Properties: map[string]string{idProperty: fmt.Sprint(n)}}
	body := fmt.Sprintf(`{"job":%q,"trace_id":"t","data":{"n":%d},"meta":{"id":"raw-%d","queue":"tasks","lang":"php",`+
		`"schema_version":1,"created_at":1},"attempts":0}`, taskURN+":unknown", n, n)
	switch f {
	case isPoison:
		m.Payload = []byte(body[:len(body)/2])
	case isGated:
		m.Payload = []byte(body)
		m.Properties["bq-schema-version"] = "2"
	case isUnknown:
		m.Payload = []byte(body)
	default:
		return nil
	}
	return m
}

var errFailed = errors.New("the task fails")

// do handles a delivery of a task.
func (f fate) do(ctx context.Context, m *bq.Message[task]) error {
	first := m.Attempt() == 1
	switch {
	case f == isSlow:
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	case f == recovers && first, f == fails:
		return errFailed
	case f == panics && first:
		panic(errFailed)
	case f == isHeldBack && first:
		return bq.RetryAfter(50*time.Millisecond, errFailed)
	case f == isRefused:
		return bq.Permanent(errFailed)
	}
	return nil
}
