package interop

import (
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
)

func TestAttemptsOfAGoMessageAreCountedOnByBoth(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	forSharedAndExclusive(b, func(b *bench, kind pulsar.SubscriptionType) {
		q := newQueue()
		tenant := map[string]string{"tenant": "é☕"}
		sent := b.goPublishes(q, order{ID: 1}, bq.WithKey("c-7"), bq.WithProperties(tenant))
		options := []bq.ConsumerOption{bq.WithSubscriptionType(kind), bq.WithMaxAttempts(5)}

		checkGo(b, "delivery 1", b.goWorks(q, 1, 1, options...)[0], bq.Retried, sent.ID, sent.TraceID, 0)
		checkPython(b, "delivery 2", b.pythonWorks(q, work{deliveries: 1, fail: 1, kind: kind, maxAttempts: 5}), sent.ID,
			sent.TraceID, 1)
		third := b.goWorks(q, 1, 1, options...)[0]
		checkGo(b, "delivery 3", third, bq.Retried, sent.ID, sent.TraceID, 2)
		// Python builds a new message for a retry, with the six properties only and without the key.
		if diff := cmp.Diff(properties(sent.ID, sent.TraceID, "go", 2, nil), third.Delivery.Properties()); diff != "" ||
			third.Delivery.Key != "" {
			b.Errorf("RET-3, RET-4: after a retry by Python the key is %q and the properties (-want +got):\n%s",
				third.Delivery.Key, diff)
		}
		checkPython(b, "delivery 4", b.pythonWorks(q, work{deliveries: 1, fail: 1, kind: kind, maxAttempts: 5}), sent.ID,
			sent.TraceID, 3)
		checkGo(b, "delivery 5", b.goWorks(q, 1, 1, options...)[0], bq.DeadLettered, sent.ID, sent.TraceID, 4)

		letter := b.pythonReads(q.DeadLetterTopic, 1)[0]
		if l := letter.Envelope.DeadLetter; letter.Envelope.Attempts != 5.0 || l == nil || l.Attempts != 5 ||
			l.Reason != "failed" {
			b.Errorf("MAX-2, DLQ-3, DLQ-4: Python reads %s", letter.Body)
		}
	})
}

func TestAttemptsOfAPythonMessageAreCountedOnByBoth(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	forSharedAndExclusive(b, func(b *bench, kind pulsar.SubscriptionType) {
		q := newQueue()
		letters := b.goReads(q.DeadLetterTopic)
		id := b.pythonPublishes(q, `{"order_id":1}`, "t")

		checkPython(b, "delivery 1", b.pythonWorks(q, work{deliveries: 1, fail: 1, kind: kind}), id, "t", 0)
		checkGo(b, "delivery 2", b.goWorks(q, 1, 1, bq.WithSubscriptionType(kind))[0], bq.Retried, id, "t", 1)
		checkPython(b, "delivery 3", b.pythonWorks(q, work{deliveries: 1, fail: 1, kind: kind}), id, "t", 2)

		letter := letters(1)[0]
		envelope, l := readRecord(b, letter.Payload())
		if envelope.Attempts != 3 || l.Attempts != 3 || l.Reason != "failed" {
			b.Errorf("MAX-2, DLQ-3, DLQ-4: Go reads %s", letter.Payload())
		}
		if diff := cmp.Diff(properties(id, "t", "python", 3, nil), letter.Properties()); diff != "" {
			b.Errorf("DLQ-7: properties (-want +got):\n%s", diff)
		}
	})
}

func TestSuccessEndsTheCountOnEitherSide(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	sent := b.goPublishes(q, order{ID: 1})
	checkGo(b, "delivery 1", b.goWorks(q, 1, 1)[0], bq.Retried, sent.ID, sent.TraceID, 0)
	checkPython(b, "delivery 2", b.pythonWorks(q, work{deliveries: 1}), sent.ID, sent.TraceID, 1)
	id := b.pythonPublishes(q, `{"order_id":2}`, "t")
	checkPython(b, "delivery 1", b.pythonWorks(q, work{deliveries: 1, fail: 1}), id, "t", 0)
	// If the first message were still there, it would be received first.
	checkGo(b, "delivery 2", b.goWorks(q, 1, 0)[0], bq.Acknowledged, id, "t", 1)
}

// checkGo checks what Go knew of a delivery and how it settled it.
func checkGo(b *bench, what string, got worked, action bq.Action, id, traceID string, attempts int64) {
	b.Helper()
	if d := got.Delivery; got.Action != action || d.ID != id || d.TraceID != traceID || d.Attempts != attempts {
		b.Fatalf("ENV-6, ATT-2, MAX-2: %s in Go: got %s (%v), %+v; want %s of %s with %d attempts", what, got.Action, got.Err,
			d, action, id, attempts)
	}
}

// checkPython checks what Python's handler saw of its only delivery.
func checkPython(b *bench, what string, got pythonWork, id, traceID string, attempts float64) {
	b.Helper()
	if len(got.Handled) != 1 {
		b.Fatalf("%s in Python: the handler was called %d times", what, len(got.Handled))
	}
	if h := got.Handled[0]; h.Meta.ID != id || h.Envelope.TraceID != traceID || h.Envelope.Attempts != attempts {
		b.Fatalf("ENV-6, ATT-2, MAX-2: %s in Python: got %+v; want %s with %g attempts", what, h, id, attempts)
	}
}
