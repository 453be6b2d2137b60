package acceptance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// reportTo returns an observer that forwards each error to a channel.
func reportTo(ch chan<- error) bq.Observer {
	return bq.Observer{
		Failed:        func(_ context.Context, f bq.Failure) { ch <- f.Err },
		ReceiveFailed: func(err error) { ch <- err },
	}
}

func TestHooksSeeWhatTheContractSays(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		archived := foreignProperties(map[string]string{"bq-job": "urn:babel:orders:archived", "bq-attempts": "1"})
		for _, c := range []struct {
			name        string
			body        string
			properties  map[string]string
			fails       int64
			unknownHook bool
			want        []string
			action      bq.Action
		}{
			{name: "handled", body: foreign, properties: foreignProperties(nil), action: bq.Acknowledged},
			{name: "ERR-1 failed", body: foreign, properties: foreignProperties(map[string]string{"bq-attempts": "1"}), fails: 1,
				action: bq.Retried,
				want:   []string{"error: no stock (call 1); attempts 1"}},
			{name: "ERR-1 unknown URN; RTE-8 mismatch before it", body: foreign, properties: archived, action: bq.Retried,
				want: []string{"mismatch: urn:babel:orders:archived, urn:babel:orders:created; attempts 1",
					"error: no handler for \"urn:babel:orders:archived\"; attempts 1"}},
			{name: "SET-4, ERR-2 unknown URN with its hook", body: foreign, properties: archived, unknownHook: true,
				action: bq.Acknowledged,
				want: []string{"mismatch: urn:babel:orders:archived, urn:babel:orders:created; attempts 1",
					"unknown; attempts 1"}},
			{name: "GATE-8, RTE-9 gated", body: foreign,
				properties: foreignProperties(map[string]string{"bq-job": "urn:y", "bq-schema-version": "2"}), unknownHook: true,
				action: bq.DeadLettered,
				want:   []string{"error: envelope version \"2\" is not supported; no envelope"}},
			{name: "POI-3 poison", body: "[]", properties: map[string]string{"bq-job": "urn:y"}, unknownHook: true,
				action: bq.DeadLettered,
				want:   []string{"error: undecodable body: the body is not a JSON object; no envelope"}},
			{name: "ERR-4 poison that could be read in part", body: `{"job":"urn:x","attempts":7}`, unknownHook: true,
				action: bq.DeadLettered,
				want:   []string{"error: undecodable body: data is not an object; attempts 7"}},
		} {
			t.Run(c.name, func(t *testing.T) {
				q := newQueue()
				var got []string
				note := func(text string, d bq.Delivery) {
					if d.Property("bq-attempts") != c.properties["bq-attempts"] {
						return // the retry, which may be delivered before the stop
					}
					if string(d.Body()) != c.body {
						t.Errorf("%s: not with the message", text)
					}
					got = append(got, text)
				}
				options := []bq.ConsumerOption{
					bq.WithObserver(bq.Observer{
						Failed: func(_ context.Context, f bq.Failure) {
							text := "no envelope"
							if f.Envelope != nil {
								text = fmt.Sprintf("attempts %d", f.Envelope.Attempts)
							}
							note(fmt.Sprintf("error: %v; %s", f.Err, text), f.Delivery)
							panic("observers only watch")
						},
						Mismatch: func(_ context.Context, m bq.Mismatch) {
							note(fmt.Sprintf("mismatch: %s, %s; attempts %d", m.PropertyURN, m.BodyURN, m.Delivery.Attempts), m.Delivery)
							panic("observers only watch")
						},
					}),
				}
				if c.unknownHook {
					options = append(options, bq.WithUnknownURN(func(_ context.Context, d *bq.Delivery) error {
						note(fmt.Sprintf("unknown; attempts %d", d.Attempts), *d)
						return nil
					}))
				}
				handle, _ := failing(c.fails)
				s := b.serve(t, q, handle, options...)
				b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(c.body), Properties: c.properties})
				if x := s.next(); x.Action != c.action {
					t.Errorf("ERR-3: got %s (%v), want %s", x.Action, x.Err, c.action)
				}
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	})
}

func TestPanicsAnywhereLeaveTheConsumerAtWork(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		fail := true
		s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return nil },
			bq.WithMiddleware(func(next bq.Handler) bq.Handler {
				return func(ctx context.Context, d *bq.Delivery) error {
					if fail {
						fail = false
						panic("middleware")
					}
					return next(ctx, d)
				}
			}),
			bq.WithRetryBackoff(func(int64) time.Duration { panic("backoff") }),
			bq.WithObserver(bq.Observer{Settled: func(bq.Settlement) { panic("settled") }}),
		)
		b.publish(t, q, order{ID: 1})
		all := s.until()
		var panicked *bq.PanicError
		if len(all) != 2 || all[0].Action != bq.Retried || !errors.As(all[0].Err, &panicked) ||
			!strings.Contains(string(panicked.Stack), "hooks_test.go") || all[1].Action != bq.Acknowledged {
			t.Errorf("S3, S4: got %+v", all)
		}
	})
}

func TestIdentityVerdictAcceptsOtherBodies(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		handle, calls := failing(0)
		s := b.serve(t, q, handle, bq.WithIdentityVerdict())
		body := strings.Replace(foreign, `"schema_version":1`, `"schema_version":2`, 1)
		body = strings.Replace(body, `1e400`, `1e300`, 1)
		properties := foreignProperties(nil)
		delete(properties, "bq-schema-version")
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body), Properties: properties})
		if got := s.next(); got.Action != bq.Acknowledged || calls.Load() != 1 {
			t.Errorf("IDV-1, IDV-3: got %s, %v", got.Action, got.Err)
		}
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(foreign), Properties: foreignProperties(nil)})
		if got := s.next(); got.Reason != "poison" {
			t.Errorf("IDV-1: 1e400 in data: got %s, %v", got.Action, got.Err)
		}
	})
}

func TestExtraMetaIsPublished(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		consumer := b.subscribe(t, q.Topic, "peek")
		b.publish(t, q, order{ID: 1}, bq.WithMeta(map[string]any{"ext": map[string]any{"shop": "north"}}))
		if got := string(receive(t, consumer).Payload()); !strings.Contains(got, `,"ext":{"shop":"north"}},"attempts":0}`) {
			t.Errorf("ENV-15: got %s", got)
		}
		producers := bq.NewProducers(b.client)
		defer producers.Close(context.Background())
		_, err := bq.NewPublisher(producers, orders(q)).Publish(context.Background(), order{},
			bq.WithMeta(map[string]any{"ts": 1}))
		var meta *envelope.MetaError
		if !errors.As(err, &meta) || meta.Pointer != "/meta/ts" {
			t.Errorf("ENV-13: got %v", err)
		}
	})
}
