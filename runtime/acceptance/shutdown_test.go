package acceptance

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

func TestShutdownLetsHandlersFinish(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			const inFlight = 5
			q := newQueue()
			started, finish := make(chan struct{}, inFlight), make(chan struct{})
			s := b.serve(t, q, func(ctx context.Context, _ *bq.Message[order]) error {
				started <- struct{}{}
				<-finish
				return ctx.Err()
			}, bq.WithConcurrency(inFlight), bq.WithSubscriptionType(subscription))
			for i := range inFlight + 1 { // one more than there are hands: it must not be started any more
				b.publish(t, q, order{ID: int64(i)})
			}
			for range inFlight {
				await(t, started, "the handlers to start")
			}
			s.cancel()
			close(finish)
			if err := s.stop(); err != nil {
				t.Errorf("S6: %v", err)
			}
			for range inFlight {
				got := s.next()
				if got.Action == bq.Released { // the one that was not started, if it was received
					got = s.next()
				}
				if got.Action != bq.Acknowledged {
					t.Errorf("S6: got %s, %v", got.Action, got.Err)
				}
			}
			if got := b.backlog(t, q, subscription); got != 1 {
				t.Errorf("S6: %d messages are left, want the one that was not started", got)
			}
		})
	})
}

func TestShutdownAfterGraceIsNoFailedAttempt(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			q := newQueue()
			started := make(chan struct{}, 1)
			s := b.serve(t, q, func(ctx context.Context, _ *bq.Message[order]) error {
				started <- struct{}{}
				<-ctx.Done()
				return context.Cause(ctx)
			}, bq.WithGracePeriod(50*time.Millisecond), bq.WithMaxAttempts(1), bq.WithSubscriptionType(subscription))
			sent := b.publish(t, q, order{ID: 1})
			await(t, started, "the handler to start")
			if err := s.stop(); err != nil {
				t.Errorf("S6: %v", err)
			}
			if got := s.next(); got.Action != bq.Released || !errors.Is(got.Err, bq.ErrShutdown) {
				t.Errorf("S6: got %s, %v", got.Action, got.Err)
			}
			received := make(chan *bq.Message[order], 1)
			b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error { received <- m; return nil },
				bq.WithSubscriptionType(subscription))
			if m := await(t, received, "the message to come again"); m.ID != sent.ID || m.Property("bq-attempts") != "0" {
				t.Errorf("S6: got %+v, want message %s unchanged", m.Delivery, sent.ID)
			}
		})
	})
}

func TestShutdownDoesNotCutSettlingShort(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, c := range []struct {
			name        string
			err         error
			maxAttempts int
			want        bq.Action
		}{
			{"retried", errors.New("no stock"), 2, bq.Retried},
			{"dead-lettered", errors.New("no stock"), 1, bq.DeadLettered},
			{"S29 cancelled with the service", context.Canceled, 1, bq.Released},
		} {
			t.Run(c.name, func(t *testing.T) {
				q := newQueue()
				started, finish := make(chan struct{}, 1), make(chan struct{})
				s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
					started <- struct{}{}
					<-finish
					return c.err
				}, bq.WithMaxAttempts(c.maxAttempts))
				b.publish(t, q, order{ID: 1})
				await(t, started, "the handler to start")
				s.cancel()
				close(finish)
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				if got := s.next(); got.Action != c.want || got.SettleErr != nil {
					t.Errorf("got %s, %v, want %s", got.Action, got.SettleErr, c.want)
				}
			})
		}
	})
}

func TestShutdownNamesAStuckHandler(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		started, finish := make(chan struct{}, 1), make(chan struct{})
		t.Cleanup(func() { close(finish) })
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
			started <- struct{}{}
			<-finish
			return errors.New("too late")
		}, bq.WithGracePeriod(0))
		sent := b.publish(t, q, order{ID: 1})
		await(t, started, "the handler to start")
		var stuck *bq.StuckError
		if err := s.stop(); !errors.As(err, &stuck) || len(stuck.Deliveries) != 1 || stuck.Deliveries[0].ID != sent.ID {
			t.Errorf("S8: got %v, want it to name %s", err, sent.ID)
		}
		received := make(chan string, 1)
		b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error { received <- m.ID; return nil })
		if id := await(t, received, "the message to come again"); id != sent.ID {
			t.Errorf("got %s, want %s", id, sent.ID)
		}
	})
}

func TestHandlerCanPublishWhileDraining(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q, next := newQueue(), newQueue()
		consumer := b.subscribe(t, next.Topic, "peek")
		producers := bq.NewProducers(b.client)
		defer producers.Close(context.Background())
		publisher := bq.NewPublisher(producers, orders(next))
		started, finish := make(chan struct{}, 1), make(chan struct{})
		s := b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
			started <- struct{}{}
			<-finish
			_, err := publisher.Publish(ctx, m.Data)
			return err
		})
		b.publish(t, q, order{ID: 1})
		await(t, started, "the handler to start")
		s.cancel()
		close(finish)
		if err := s.stop(); err != nil {
			t.Errorf("S7: %v", err)
		}
		if got := s.next(); got.Action != bq.Acknowledged {
			t.Errorf("S7: got %s, %v", got.Action, got.Err)
		}
		receive(t, consumer)
	})
}

func TestRetryHeldBackIsReleasedByShutdown(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		started := make(chan struct{}, 1)
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error {
			started <- struct{}{}
			return bq.RetryAfter(time.Hour, errors.New("busy"))
		}, bq.WithSubscriptionType(pulsar.Exclusive))
		b.publish(t, q, order{ID: 1})
		await(t, started, "the handler to start")
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if got := s.next(); got.Action != bq.Released {
			t.Errorf("got %s", got.Action)
		}
		if got := b.backlog(t, q, pulsar.Exclusive); got != 1 {
			t.Errorf("%d messages are left, want 1", got)
		}
	})
}

func TestExclusiveRefusesASecondConsumer(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, _ := failing(0)
		b.serve(t, q, handle, bq.WithSubscriptionType(pulsar.Exclusive))
		c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(orders(q), handle)),
			bq.WithSubscriptionType(pulsar.Exclusive), bq.WithLogger(quiet))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := c.Run(ctx); err == nil || ctx.Err() != nil {
			t.Errorf("S31: a second consumer runs: %v", err)
		}
	})
}

func TestSharedSpreadsOverConsumers(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const messages = 40
		q := newQueue()
		busy := make(chan int64, messages)
		hold := make(chan struct{})
		// The first consumer takes one message and holds it, so the second must get all the others.
		first := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error { busy <- m.Data.ID; <-hold; return nil })
		handled := make(chan int64, messages)
		second := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error { handled <- m.Data.ID; return nil })
		for i := range messages {
			b.publish(t, q, order{ID: int64(i)})
		}
		await(t, busy, "the first consumer")
		await(t, handled, "the second consumer")
		close(hold)
		seen := map[string]bool{}
		for len(seen) < messages {
			select {
			case x := <-first.settled:
				seen[x.Delivery.ID] = true
			case x := <-second.settled:
				seen[x.Delivery.ID] = true
			case <-time.After(patience):
				t.Fatalf("S39: %d of %d messages are handled", len(seen), messages)
			}
		}
	})
}
