package acceptance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// TestObserversAddUpAndAreToldWhatMetricsNeed: F27, F28.
func TestObserversAddUpAndAreToldWhatMetricsNeed(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		b.backlog(t, q, pulsar.Shared)
		first, second := make(chan string, 100), make(chan string, 100)
		note := func(to chan<- string) bq.Observer {
			return bq.Observer{
				Settled: func(s bq.Settlement) {
					if s.Duration <= 0 || s.Received.IsZero() {
						t.Errorf("got %s, received %s", s.Duration, s.Received)
					}
					to <- fmt.Sprintf("%s %s attempt %d, %d runs", s.Action, s.Reason, s.Delivery.Attempt(), s.Runs)
					panic("observers only watch")
				},
				Copied: func(c bq.Copy) { to <- fmt.Sprintf("copied, settled: %v, %s", c.Settled, c.Topic) },
				Paused: func(paused bool) { to <- fmt.Sprintf("paused: %v", paused) },
			}
		}
		finish := make(chan struct{})
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Data.ID == 1 {
				<-finish
				return nil
			}
			return errors.New("no stock")
		}, bq.WithConcurrency(2), bq.WithMaxAttempts(1), bq.WithRetryInPlace(2, bq.NoBackoff), bq.WithObserver(note(first)),
			bq.WithObserver(note(second)))
		check := func(want string) {
			t.Helper()
			for _, told := range []chan string{first, second} {
				if got := await(t, told, want); !strings.HasPrefix(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		}
		b.publish(t, q, order{ID: 2})
		check("dead-lettered failed attempt 1, 3 runs")
		b.publish(t, q, order{ID: 1})
		eventually(t, "the handler", func() bool { return s.consumer.Status().Handling == 1 })
		b.unload(t, q.Topic)
		check("copied, settled: false, " + q.Topic)
		s.consumer.Pause()
		s.consumer.Pause()
		check("paused: true")
		s.consumer.Resume()
		check("paused: false")
		close(finish)
		check("acknowledged  attempt 1, 1 runs")
	})
}

// TestARetryAndADeadLetterKeepThePayloadThatMiddlewareReplaced: the wire keeps what came.
func TestARetryAndADeadLetterKeepThePayloadThatMiddlewareReplaced(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		var seen []int64
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			seen = append(seen, m.Data.ID)
			return errors.New("no stock")
		}, bq.WithMaxAttempts(2), bq.WithMiddleware(func(next bq.Handler) bq.Handler {
			return func(ctx context.Context, d *bq.Delivery) error {
				data := d.Data()
				clear(data)
				clear(d.Body())
				d.SetData([]byte(`{"order_id":7}`))
				return next(ctx, d)
			}
		}))
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign), Properties: foreignProperties(nil)})
		s.settle(2)
		if !slices.Equal(seen, []int64{7, 7}) {
			t.Errorf("the handler saw %d", seen)
		}
		if got := string(b.deadLetter(t, q).Payload()); !strings.Contains(got, `"order_id":9007199254740993,`) {
			t.Errorf("the dead letter is %s", got)
		}
	})
}

// TestAHandlerOfUnknownURNsCanSayWhatAHandlerCan: F4.
func TestAHandlerOfUnknownURNsCanSayWhatAHandlerCan(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	handle, _ := failing(0)
	around := 0
	s := b.serve(t, q, handle, bq.WithMaxAttempts(5), bq.WithUnknownURN(func(_ context.Context, d *bq.Delivery) error {
		if d.Attempt() == 1 {
			return bq.RetryAfter(time.Millisecond, errors.New("later"))
		}
		return bq.Permanent(fmt.Errorf("what is %s with %d bytes", d.URN, len(d.Data())))
	}), bq.WithMiddleware(func(next bq.Handler) bq.Handler {
		return func(ctx context.Context, d *bq.Delivery) error {
			around++
			return next(ctx, d)
		}
	}))
	b.send(t, q.Topic, &pulsar.ProducerMessage{
		Payload: []byte(foreign), Properties: foreignProperties(map[string]string{"bq-job": "urn:y"}),
	})
	all := s.until()
	if last := all[len(all)-1]; len(all) != 2 || last.Reason != "unknown_urn" || all[0].Delay != time.Millisecond ||
		!strings.Contains(last.Err.Error(), "urn:y with") || around != 2 {
		t.Errorf("F4: got %+v, the middleware ran %d times", all, around)
	}
}
