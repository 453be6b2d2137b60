package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
)

func TestPublishedMessageIsHandledOnce(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for name, subscription := range map[string]pulsar.SubscriptionType{
			"Exclusive": pulsar.Exclusive, "Shared": pulsar.Shared, "Failover": pulsar.Failover, "Key_Shared": pulsar.KeyShared,
		} {
			t.Run(name, func(t *testing.T) {
				q := newQueue()
				received := make(chan *bq.Message[order], 1)
				s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
					received <- m
					return nil
				}, bq.WithSubscriptionType(subscription))
				sent := b.publish(t, q, order{ID: 9007199254740993, Note: "naïve ☕ <&>\u2028"}, bq.WithKey("c-7"),
					bq.WithTraceID(" trace-1 "))

				m := await(t, received, "the message")
				if want := (order{ID: 9007199254740993, Note: "naïve ☕ <&>\u2028"}); m.Data != want {
					t.Errorf("got %+v, want %+v", m.Data, want)
				}
				if m.URN != orderURN || m.ID != sent.ID || m.TraceID != "trace-1" || m.Lang != "go" || m.Key != "c-7" ||
					m.Attempt() != 1 {
					t.Errorf("got delivery %+v of %+v", m.Delivery, sent)
				}
				if age := time.Since(m.CreatedAt); age < 0 || age > patience {
					t.Errorf("created_at is %s ago", age)
				}
				if got := s.next(); got.Action != bq.Acknowledged || got.SettleErr != nil {
					t.Errorf("SET-1: got %s, %v", got.Action, got.SettleErr)
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				if got := b.backlog(t, q, subscription); got != 0 {
					t.Errorf("SET-1: %d messages come again", got)
				}
			})
		}
	})
}

func TestPublishedBytesAndProperties(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		consumer := b.subscribe(t, q.Topic, "peek")
		sent := b.publish(t, q, order{ID: 1, Note: "<&>\u2028"},
			bq.WithProperties(map[string]string{"tenant": "t", "bq-job": "no", " ": "x", "empty": ""}))
		msg := receive(t, consumer)

		var e struct {
			Meta struct {
				CreatedAt json.Number `json:"created_at"`
			} `json:"meta"`
		}
		if err := json.Unmarshal(msg.Payload(), &e); err != nil {
			t.Fatal(err)
		}
		name := q.Topic[len("persistent://public/default/"):]
		want := `{"job":"` + orderURN + `","trace_id":"` + sent.TraceID + `","data":{"order_id":1,"note":"<&>` + "\u2028" +
			`"},"meta":{"id":"` + sent.ID +
			`","queue":"` + name + `","lang":"go","schema_version":1,"created_at":` + e.Meta.CreatedAt.String() +
			`},"attempts":0}`
		if diff := cmp.Diff(want, string(msg.Payload())); diff != "" {
			t.Errorf("ENV-2, ENV-3, ENV-5, ENC-1 to ENC-3 (-want +got):\n%s", diff)
		}
		properties := map[string]string{
			"bq-job": orderURN, "bq-trace-id": sent.TraceID, "bq-message-id": sent.ID,
			"bq-schema-version": "1", "bq-source-lang": "go", "bq-attempts": "0", "tenant": "t",
		}
		if diff := cmp.Diff(properties, msg.Properties()); diff != "" {
			t.Errorf("MAP-1, MAP-8 (-want +got):\n%s", diff)
		}
	})
}

func TestTraceGoesOnFromHandlerToPublish(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q, next := newQueue(), newQueue()
		consumer := b.subscribe(t, next.Topic, "peek")
		producers := bq.NewProducers(b.client)
		defer producers.Close(context.Background())
		publisher := bq.NewPublisher(producers, orders(next))
		b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
			_, err := publisher.Publish(ctx, m.Data)
			return err
		})
		sent := b.publish(t, q, order{ID: 1})
		if got := receive(t, consumer).Properties()["bq-trace-id"]; got != sent.TraceID {
			t.Errorf("ENV-6: got trace %s, want %s", got, sent.TraceID)
		}
	})
}

func TestInvalidPayloadIsNotSent(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		consumer := b.subscribe(t, q.Topic, "peek")
		producers := bq.NewProducers(b.client)
		defer producers.Close(context.Background())
		publisher := bq.NewPublisher(producers, orders(q))
		if _, err := publisher.Publish(context.Background(), order{Note: "\xff"}); err == nil {
			t.Error("ENC-5: a string that is not UTF-8 is published")
		}
		if _, err := publisher.Publish(context.Background(), order{ID: 2}); err != nil {
			t.Fatal(err)
		}
		var e struct{ Data struct{ Order_ID int } }
		if err := json.Unmarshal(receive(t, consumer).Payload(), &e); err != nil || e.Data.Order_ID != 2 {
			t.Errorf("the first message on the topic is of order %d, %v, want 2", e.Data.Order_ID, err)
		}
	})
}

func TestDelayedMessageWaits(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const delay = 2 * time.Second
		// The broker may deliver one tick early; its default tick is one second.
		const tick = time.Second
		t.Run("DLY-1 Shared", func(t *testing.T) {
			q := newQueue()
			order2 := make(chan int64, 2)
			b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error { order2 <- m.Data.ID; return nil })
			published := time.Now()
			b.publish(t, q, order{ID: 1}, bq.WithDelay(delay))
			b.publish(t, q, order{ID: 2}, bq.WithDelay(-delay))
			if first := await(t, order2, "the message without delay"); first != 2 {
				t.Errorf("order %d came first, want 2: a delay below 0 is none", first)
			}
			await(t, order2, "the delayed message")
			if waited := time.Since(published); waited < delay-tick {
				t.Errorf("the message came after %s, want %s", waited, delay)
			}
		})
		t.Run("Exclusive knows no delay", func(t *testing.T) {
			q := newQueue()
			s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil },
				bq.WithSubscriptionType(pulsar.Exclusive))
			b.publish(t, q, order{ID: 1}, bq.WithDelay(time.Hour))
			if got := s.next(); got.Action != bq.Acknowledged {
				t.Errorf("got %s", got.Action)
			}
		})
	})
}

func TestPublishAfterCloseFails(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		producers := bq.NewProducers(b.client)
		publisher := bq.NewPublisher(producers, orders(newQueue()))
		for range 2 {
			if err := producers.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
		if _, err := publisher.Publish(context.Background(), order{}); !errors.Is(err, bq.ErrClosed) {
			t.Errorf("got %v, want %v", err, bq.ErrClosed)
		}
	})
}
