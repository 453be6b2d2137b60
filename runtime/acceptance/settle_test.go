package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
)

// forExclusiveAndShared runs test as a subtest for each of the two types.
func forExclusiveAndShared(t *testing.T, test func(*testing.T, pulsar.SubscriptionType)) {
	t.Helper()
	t.Run("Exclusive", func(t *testing.T) { test(t, pulsar.Exclusive) })
	t.Run("Shared", func(t *testing.T) { test(t, pulsar.Shared) })
}

func TestRetryUntilSuccess(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			q := newQueue()
			var attempts []int64
			handle, calls := failing(2)
			s := b.serve(t, q, func(ctx context.Context, m *bq.Message[order]) error {
				attempts = append(attempts, m.Attempt())
				return handle(ctx, m)
			}, bq.WithSubscriptionType(subscription))
			sent := b.publish(t, q, order{ID: 1})
			var actions []bq.Action
			for _, x := range s.until() {
				actions = append(actions, x.Action)
				if x.Delivery.ID != sent.ID || x.Delivery.TraceID != sent.TraceID {
					t.Errorf("ENV-6: got %+v of %+v", x.Delivery, sent)
				}
			}
			if diff := cmp.Diff([]bq.Action{bq.Retried, bq.Retried, bq.Acknowledged}, actions); diff != "" {
				t.Errorf("SET-1, SET-2 (-want +got):\n%s", diff)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff([]int64{1, 2, 3}, attempts); diff != "" || calls.Load() != 3 {
				t.Errorf("MAX-3 (-want +got):\n%s", diff)
			}
			if got := b.backlog(t, q, subscription); got != 0 {
				t.Errorf("%d messages come again", got)
			}
		})
	})
}

func TestHandlerRunsAsOftenAsMaxAttemptsSays(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			for maxAttempts := 1; maxAttempts <= 3; maxAttempts++ {
				q := newQueue()
				handle, calls := failing(always)
				s := b.serve(t, q, handle, bq.WithSubscriptionType(subscription), bq.WithMaxAttempts(maxAttempts))
				b.publish(t, q, order{ID: 1})
				all := s.until()
				last := all[len(all)-1]
				if last.Action != bq.DeadLettered || last.Reason != "failed" || len(all) != maxAttempts ||
					calls.Load() != int64(maxAttempts) {
					t.Errorf("S21, MAX-1: max attempts %d: %d calls, ended %s (%s)", maxAttempts, calls.Load(), last.Action,
						last.Reason)
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
			}
		})
	})
}

func TestDeadLetterKeepsEveryByte(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			q := newQueue()
			retries := b.subscribe(t, q.Topic, "peek")
			handle, _ := failing(always)
			s := b.serve(t, q, handle, bq.WithSubscriptionType(subscription))
			event := time.UnixMilli(1700000000123)
			b.send(t, q.Topic, &pulsar.ProducerMessage{
				Payload: []byte(foreign), Properties: foreignProperties(nil), Key: "c-7", OrderingKey: "o-7", EventTime: event,
			})
			s.until()

			receive(t, retries)
			for n := 1; n <= 2; n++ {
				msg := receive(t, retries)
				want := strings.Replace(foreign, `"attempts":0`, fmt.Sprintf(`"attempts":%d`, n), 1)
				if diff := cmp.Diff(want, string(msg.Payload())); diff != "" {
					t.Errorf("RET-1, S12, S14: retry %d, body (-want +got):\n%s", n, diff)
				}
				checkTravelled(t, fmt.Sprintf("RET-1, RET-4: retry %d", n), msg,
					foreignProperties(map[string]string{"bq-attempts": fmt.Sprint(n)}), event)
			}

			before := time.Now().Add(-patience)
			msg := b.deadLetter(t, q)
			checkTravelled(t, "DLQ-7, RET-4: dead letter", msg, foreignProperties(map[string]string{"bq-attempts": "3"}), event)
			body, block, found := strings.Cut(string(msg.Payload()), `,"dead_letter":`)
			if want := strings.TrimSuffix(strings.Replace(foreign, `"attempts":0`, `"attempts":3`, 1), "}"); !found ||
				body != want {
				t.Errorf("DLQ-3, DLQ-4: body (-want +got):\n%s", cmp.Diff(want, body))
			}
			var letter struct {
				FailedAt int64 `json:"failed_at"`
			}
			if err := json.Unmarshal([]byte(strings.TrimSuffix(block, "}")), &letter); err != nil {
				t.Fatalf("%s: %v", block, err)
			}
			if at := time.UnixMilli(letter.FailedAt); at.Before(before) || at.After(time.Now().Add(time.Second)) {
				t.Errorf("DLQ-2: failed_at is %s", at)
			}
			want := fmt.Sprintf(`{"reason":"failed","error":"no stock (call 3)","exception":"*errors.errorString",`+
				`"failed_at":%d,"original_queue":"orders","attempts":3,"lang":"go"}}`, letter.FailedAt)
			want = strings.Replace(want, "*errors.errorString", fmt.Sprintf("%T", fmt.Errorf("x")), 1)
			if diff := cmp.Diff(want, block); diff != "" {
				t.Errorf("DLQ-2, DLQ-5: block (-want +got):\n%s", diff)
			}
		})
	})
}

// checkTravelled checks that properties, key, ordering key and event time travelled with a message.
func checkTravelled(t *testing.T, what string, msg pulsar.Message, properties map[string]string, event time.Time) {
	t.Helper()
	if diff := cmp.Diff(properties, msg.Properties()); diff != "" {
		t.Errorf("%s, properties (-want +got):\n%s", what, diff)
	}
	if msg.Key() != "c-7" || msg.OrderingKey() != "o-7" || !msg.EventTime().Equal(event) {
		t.Errorf("%s: key %q, ordering key %q, event time %s", what, msg.Key(), msg.OrderingKey(), msg.EventTime())
	}
}

func TestGatedVersionGoesToTheDeadLettersAsItIs(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			for name, body := range map[string]string{"envelope": foreign, "GATE-9 not JSON": "\xff not json"} {
				q := newQueue()
				handle, calls := failing(0)
				s := b.serve(t, q, handle, bq.WithSubscriptionType(subscription))
				properties := foreignProperties(map[string]string{"bq-schema-version": "2", "bq-attempts": "x"})
				b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: properties})
				if got := s.next(); got.Action != bq.DeadLettered || got.Reason != bq.Gated || calls.Load() != 0 {
					t.Errorf("GATE-4: %s: got %s (%s), %d handler calls", name, got.Action, got.Reason, calls.Load())
				}
				msg := b.deadLetter(t, q)
				if diff := cmp.Diff(body, string(msg.Payload())); diff != "" {
					t.Errorf("GATE-5: %s, body (-want +got):\n%s", name, diff)
				}
				if diff := cmp.Diff(properties, msg.Properties()); diff != "" {
					t.Errorf("GATE-5: %s, properties (-want +got):\n%s", name, diff)
				}
			}
		})
	})
}

func TestPoisonIsRecordedAtOnceAndTheNextMessageHandled(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, c := range []struct{ name, body, start string }{
			{"not JSON", "not json", `{"raw":"not json","dead_letter":{"reason":"poison","error":`},
			{"not UTF-8", "\xff", `{"raw":"/w==","raw_encoding":"base64","dead_letter":{"reason":"poison",`},
			{"no identity", `{"data":{}}`, `{"data":{},"dead_letter":{"reason":"poison",`},
			{"version 2 in the body", strings.Replace(foreign, `"schema_version":1`, `"schema_version":2`, 1),
				`{ "job":"urn:babel:orders:created", "trace_id":"trace-1"`},
		} {
			t.Run(c.name, func(t *testing.T) {
				q := newQueue()
				handle, calls := failing(0)
				s := b.serve(t, q, handle)
				b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(c.body),
					Properties: map[string]string{"bq-job": orderURN, "tenant": "t"}})
				if got := s.next(); got.Action != bq.DeadLettered || got.Reason != "poison" || calls.Load() != 0 {
					t.Errorf("SET-8, RTE-7: got %s (%s), %d handler calls", got.Action, got.Reason, calls.Load())
				}
				msg := b.deadLetter(t, q)
				name := q.Topic[len("persistent://public/default/"):]
				if got := string(msg.Payload()); !strings.HasPrefix(got, c.start) ||
					!strings.Contains(got, `"original_queue":"`+name+`","attempts":1,"lang":"go"}}`) {
					t.Errorf("POI: got %s", got)
				}
				if diff := cmp.Diff(map[string]string{"bq-job": orderURN, "tenant": "t", "bq-attempts": "1"},
					msg.Properties()); diff != "" {
					t.Errorf("properties (-want +got):\n%s", diff)
				}
				b.publish(t, q, order{ID: 2})
				if got := s.next(); got.Action != bq.Acknowledged {
					t.Errorf("SET-10: the message after it: got %s, %v", got.Action, got.Err)
				}
			})
		}
	})
}

func TestPoisonWithoutDeadLettersIsRetriedByteForByteThenDropped(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		q.DeadLetterTopic = ""
		retries := b.subscribe(t, q.Topic, "peek")
		handle, _ := failing(0)
		s := b.serve(t, q, handle)
		const body = "{\"a\":\r\n1e400,\xff"
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: map[string]string{"tenant": "t"}})
		all := s.until()
		if last := all[len(all)-1]; len(all) != 3 || last.Action != bq.Dropped || last.Reason != "poison" {
			t.Errorf("SET-8: got %d deliveries, ended %s (%s)", len(all), last.Action, last.Reason)
		}
		for n := range 3 {
			msg := receive(t, retries)
			want := map[string]string{"tenant": "t"}
			if n > 0 {
				want["bq-attempts"] = fmt.Sprint(n)
			}
			if diff := cmp.Diff(want, msg.Properties()); diff != "" || string(msg.Payload()) != body {
				t.Errorf("RET-2: delivery %d: body %q, properties (-want +got):\n%s", n+1, msg.Payload(), diff)
			}
		}
	})
}

func TestUnknownURNIsRetriedThenDeadLettered(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, calls := failing(0)
		s := b.serve(t, q, handle)
		body := strings.Replace(foreign, orderURN, "urn:babel:orders:archived", 1)
		properties := foreignProperties(map[string]string{"bq-job": "urn:babel:orders:archived"})
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: properties})
		all := s.until()
		if last := all[len(all)-1]; len(all) != 3 || last.Action != bq.DeadLettered || last.Reason != "unknown_urn" ||
			calls.Load() != 0 {
			t.Errorf("SET-5, SET-6: got %d deliveries, ended %s (%s), %d handler calls", len(all), last.Action, last.Reason,
				calls.Load())
		}
		msg := b.deadLetter(t, q)
		properties["bq-attempts"] = "3"
		if diff := cmp.Diff(properties, msg.Properties()); diff != "" {
			t.Errorf("DLQ-7 (-want +got):\n%s", diff)
		}
		if got := string(msg.Payload()); !strings.Contains(got, `"attempts":3 ,"dead_letter":{"reason":"unknown_urn"`) {
			t.Errorf("DLQ-3: got %s", got)
		}
	})
}

func TestPropertyDecidesTheRoute(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, calls := failing(0)
		s := b.serve(t, q, handle)
		body := strings.Replace(foreign, orderURN, "urn:babel:orders:archived", 1)
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body),
			Properties: foreignProperties(map[string]string{"bq-job": " " + orderURN + "\n"})})
		if got := s.next(); got.Action != bq.Acknowledged || calls.Load() != 1 {
			t.Errorf("RTE-1, RTE-2, RTE-5: got %s (%v)", got.Action, got.Err)
		}
		alias := strings.Replace(foreign, `"job"`, `"urn"`, 1)
		properties := foreignProperties(nil)
		delete(properties, "bq-job")
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(alias), Properties: properties})
		if got := s.next(); got.Action != bq.Acknowledged || calls.Load() != 2 {
			t.Errorf("RTE-3, ENV-9: got %s (%v)", got.Action, got.Err)
		}
	})
}

func TestAttemptsPropertyIsAuthoritative(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			for _, c := range []struct {
				property string
				body     int
				want     int64
			}{{"1", 5, 2}, {"4", 1, 5}, {" 2", 3, 4}, {"", 2, 3}} {
				q := newQueue()
				handle, _ := failing(0)
				s := b.serve(t, q, handle, bq.WithSubscriptionType(subscription))
				body := strings.Replace(foreign, `"attempts":0`, fmt.Sprintf(`"attempts":%d`, c.body), 1)
				b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body),
					Properties: foreignProperties(map[string]string{"bq-attempts": c.property})})
				if got := s.next(); got.Delivery.Attempt() != c.want {
					t.Errorf("S20, ATT-2, ATT-3: property %q, body %d: delivery %d, want %d", c.property, c.body,
						got.Delivery.Attempt(), c.want)
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
			}
		})
	})
}

func TestWhatAHandlerSaysDecides(t *testing.T) {
	base := errors.New("no stock")
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, c := range []struct {
			name   string
			handle bq.HandlerFunc[order]
			action bq.Action
			check  func(error) bool
		}{
			{"Permanent", func(context.Context, *bq.Message[order]) error { return bq.Permanent(base) }, bq.DeadLettered,
				func(err error) bool { return errors.Is(err, base) }},
			{"S3 panic", func(context.Context, *bq.Message[order]) error { panic(base) }, bq.Retried,
				func(err error) bool { return errors.Is(err, base) }},
			{"error", func(context.Context, *bq.Message[order]) error { return base }, bq.Retried,
				func(err error) bool { return errors.Is(err, base) }},
		} {
			t.Run(c.name, func(t *testing.T) {
				q := newQueue()
				s := b.serve(t, q, c.handle)
				b.publish(t, q, order{ID: 1})
				if got := s.next(); got.Action != c.action || !c.check(got.Err) {
					t.Errorf("got %s, %v, want %s", got.Action, got.Err, c.action)
				}
			})
		}
		t.Run("a payload that is not one", func(t *testing.T) {
			q := newQueue()
			handle, calls := failing(0)
			s := b.serve(t, q, handle, bq.WithMaxAttempts(1))
			body := strings.Replace(foreign, "9007199254740993", `"one"`, 1)
			b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: foreignProperties(nil)})
			var payload *bq.PayloadError
			if got := s.next(); got.Action != bq.DeadLettered || got.Reason != "failed" || !errors.As(got.Err, &payload) ||
				calls.Load() != 0 {
				t.Errorf("got %s (%s), %v, %d handler calls", got.Action, got.Reason, got.Err, calls.Load())
			}
		})
	})
}

func TestInvalidPayloadCanBeDeadLetteredAtOnce(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		producers := bq.NewProducers(b.client)
		defer producers.Close(context.Background())
		s := b.serve(t, q, func(ctx context.Context, _ *bq.Message[order]) error {
			_, err := bq.NewPublisher(producers, orders(q)).Publish(ctx, order{Note: "\xff"})
			return err
		}, bq.WithInvalidPayloadPermanent())
		body := strings.Replace(foreign, "9007199254740993", `"one"`, 1)
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: foreignProperties(nil)})
		if got := s.next(); got.Action != bq.DeadLettered || got.Reason != "failed" || got.Delivery.Attempt() != 1 {
			t.Errorf("got %s (%s), %v", got.Action, got.Reason, got.Err)
		}
		b.publish(t, q, order{ID: 1})
		if got := s.next(); got.Action != bq.Retried || !errors.As(got.Err, new(*bq.PayloadError)) {
			t.Errorf("a payload that the handler could not publish: got %s, %v", got.Action, got.Err)
		}
	})
}

func TestRetryAfterWaits(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forExclusiveAndShared(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			const delay, tick = 2 * time.Second, time.Second
			q := newQueue()
			at := make(chan time.Time, 2)
			b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				at <- time.Now()
				if m.Attempt() == 1 {
					return bq.RetryAfter(delay, errors.New("busy"))
				}
				return nil
			}, bq.WithSubscriptionType(subscription))
			b.publish(t, q, order{ID: 1})
			first, second := await(t, at, "the first attempt"), await(t, at, "the second attempt")
			if waited := second.Sub(first); waited < delay-tick {
				t.Errorf("S15: retried after %s, want %s", waited, delay)
			}
		})
	})
}

func TestMiddlewareRunsAroundHandlers(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		var order_ []string
		layer := func(name string) bq.Middleware {
			return func(next bq.Handler) bq.Handler {
				return func(ctx context.Context, d *bq.Delivery) error {
					order_ = append(order_, name+" of "+d.URN)
					return next(ctx, d)
				}
			}
		}
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { order_ = append(order_, "handler"); return nil },
			bq.WithMiddleware(layer("outer"), layer("inner")))
		b.publish(t, q, order{ID: 1})
		s.next()
		if diff := cmp.Diff([]string{"outer of " + orderURN, "inner of " + orderURN, "handler"}, order_); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		b.serve(t, newQueue(), func(context.Context, *bq.Message[order]) error { return nil })
	})
}

func TestDroppedWhereThereAreNoDeadLetters(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for name, properties := range map[string]map[string]string{
			"SET-3": foreignProperties(map[string]string{"bq-attempts": "2"}),
			"SET-7": foreignProperties(map[string]string{"bq-schema-version": "2"}),
		} {
			q := newQueue()
			q.DeadLetterTopic = ""
			handle, _ := failing(always)
			s := b.serve(t, q, handle)
			b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign), Properties: maps.Clone(properties)})
			if got := s.next(); got.Action != bq.Dropped {
				t.Errorf("%s: got %s", name, got.Action)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
			if got := b.backlog(t, q, pulsar.Shared); got != 0 {
				t.Errorf("%s: %d messages come again", name, got)
			}
		}
	})
}
