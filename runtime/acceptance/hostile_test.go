package acceptance

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

type stockError struct{ item string }

func (e *stockError) Error() string { return "no stock of " + e.item }

func TestErrorWhoseMethodsPanicIsAFailedAttempt(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
			var missing *stockError
			return missing // not nil, and its Error panics
		}, bq.WithMaxAttempts(1))
		b.publish(t, q, order{ID: 1})
		var panicked *bq.PanicError
		if got := s.next(); got.Action != bq.DeadLettered || !errors.As(got.Err, &panicked) {
			t.Errorf("S4: got %s, %v", got.Action, got.Err)
		}
		if got := string(b.deadLetter(t, q).Payload()); !strings.Contains(got, "nil pointer") {
			t.Errorf("S4: got %s", got)
		}
	})
}

func TestHookThatEndsItsGoroutineLeavesTheWorkerAtWork(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, _ := failing(always)
		s := b.serve(t, q, handle, bq.WithMaxAttempts(1),
			bq.WithObserver(bq.Observer{
				Failed:  func(context.Context, bq.Failure) { runtime.Goexit() },
				Settled: func(bq.Settlement) { runtime.Goexit() },
			}))
		for id := range 3 {
			b.publish(t, q, order{ID: int64(id)})
			if got := s.next(); got.Action != bq.DeadLettered {
				t.Errorf("S4: got %s", got.Action)
			}
		}
	})
}

func TestObserverThatBlocksDoesNotKeepRunFromReturning(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	entered, leave := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(leave) })
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil },
		bq.WithGracePeriod(50*time.Millisecond),
		bq.WithObserver(bq.Observer{Settled: func(bq.Settlement) { close(entered); <-leave }}))
	b.publish(t, q, order{ID: 1})
	await(t, entered, "the observer")
	var stuck *bq.StuckError
	if err := s.stop(); !errors.As(err, &stuck) || !stuck.Observers {
		t.Errorf("F29, S8: got %v", err)
	}
}

func TestWhatUsersDoToADeliveryStaysWithThem(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			properties := m.Properties()
			properties["secret"] = "leak"
			delete(properties, "bq-job")
			return errors.New("no stock")
		}, bq.WithMaxAttempts(1), bq.WithObserver(bq.Observer{Failed: func(_ context.Context, f bq.Failure) {
			f.Envelope.Meta.Queue, f.Envelope.Attempts = "elsewhere", 77
			clear(f.Envelope.Data)
			clear(f.Envelope.Body())
			clear(f.Delivery.Data())
			clear(f.Delivery.Body())
			f.Delivery.SetData(nil)
		}}))
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign), Properties: foreignProperties(nil)})
		s.next()
		msg := b.deadLetter(t, q)
		if p := msg.Properties(); p["bq-job"] != orderURN || p["secret"] != "" {
			t.Errorf("DLQ-7, RTE-11: got %v", p)
		}
		if got := string(msg.Payload()); !strings.Contains(got, `"original_queue":"orders","attempts":1`) {
			t.Errorf("ERR-3, DLQ-5: got %s", got)
		}
	})
}

func TestCountsOnTheWireFitAnInt32(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, _ := failing(always)
		s := b.serve(t, q, handle)
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign),
			Properties: foreignProperties(map[string]string{"bq-attempts": "2147483647"})})
		s.next()
		msg := b.deadLetter(t, q)
		if got := msg.Properties()["bq-attempts"]; got != "2147483647" ||
			!strings.Contains(string(msg.Payload()), `"attempts":2147483647 ,"dead_letter"`) {
			t.Errorf("ATT-1: got %s in %s", got, msg.Payload())
		}
	})
}

func TestBlankTraceIDOptionStartsAFreshTrace(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	producers := bq.NewProducers(b.client, bq.WithSendTimeout(0), bq.WithLogger(nil)) // which stand for the defaults
	defer producers.Close(context.Background())
	ctx := bq.ContextWithTraceID(context.Background(), "trace-1")
	publisher := bq.NewPublisher(producers, orders(q))
	if r, err := publisher.Publish(ctx, order{}); err != nil || r.TraceID != "trace-1" {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, err := publisher.Publish(ctx, order{}, bq.WithTraceID(" ")); err != nil || r.TraceID == "trace-1" ||
		r.TraceID == "" {
		t.Errorf("ENV-17: got %+v, %v", r, err)
	}
}

func TestUnknownOutcomeOfPublishNamesTheMessage(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	producers := bq.NewProducers(b.client, bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
		o.MessageRouter = func(*pulsar.ProducerMessage, pulsar.TopicMetadata) int { panic("no route") }
	}))
	defer producers.Close(context.Background())
	if err := b.memory.CreatePartitioned(q.Topic, 2); err != nil {
		t.Fatal(err)
	}
	r, err := bq.NewPublisher(producers, orders(q)).Publish(context.Background(), order{})
	var panicked *bq.PanicError
	if !errors.As(err, &panicked) || r.ID == "" || r.TraceID == "" {
		t.Errorf("got %+v, %v", r, err)
	}
}

// A chunked message that is negatively acknowledged must be redelivered like any other.
func TestMessageInChunksComesAgain(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest has no chunks")
		}
		q := newQueue()
		handle, calls := failing(always)
		s := b.serve(t, q, handle, bq.WithRetryByNack(), bq.WithMaxAttempts(2))
		producer, err := b.client.CreateProducer(pulsar.ProducerOptions{
			Topic: q.Topic, DisableBatching: true, EnableChunking: true, ChunkMaxMessageSize: 1000,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer producer.Close()
		body := strings.Replace(foreign, `"html":"<&>"`, `"html":"`+strings.Repeat("x", 3000)+`"`, 1)
		msg := &pulsar.ProducerMessage{Payload: []byte(body), Properties: foreignProperties(nil)}
		if _, err := producer.Send(t.Context(), msg); err != nil {
			t.Fatal(err)
		}
		if all := s.until(); len(all) != 2 || all[1].Action != bq.DeadLettered || calls.Load() != 2 {
			t.Errorf("RET-7: got %+v", all)
		}
	})
}
