package acceptance

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func setAttempts(m *pulsar.ProducerMessage) { m.Properties["bq-attempts"] = "1" }

func TestEverythingAboutAMessageCanBeSet(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	at := time.Date(2031, 5, 4, 3, 2, 1, 0, time.UTC)
	publisher := bq.NewPublisher(b.producers(t, bq.WithMessage(func(m *pulsar.ProducerMessage) {
		m.Properties["from"] = "the publishers"
	})), orders(q))
	ctx := context.Background()
	sent, err := publisher.Publish(ctx, order{ID: 1}, bq.WithID(" order-1 "), bq.WithOrderingKey("customer-7"),
		bq.WithEventTime(at), bq.WithDelay(time.Minute), bq.WithDeliverAt(at), bq.WithSequenceID(42),
		bq.WithMessage(func(m *pulsar.ProducerMessage) { m.Properties["from"] += " and the call" }))
	if err != nil {
		t.Fatal(err)
	}
	m := broker.Messages(q.Topic)[0]
	if sent.ID != "order-1" || m.Properties["bq-message-id"] != "order-1" ||
		!strings.Contains(string(m.Payload), `"order-1"`) {
		t.Errorf("WithID: %s, %v, %s", sent.ID, m.Properties, m.Payload)
	}
	if m.OrderingKey != "customer-7" || !m.EventTime.Equal(at) || !m.DeliverAt.Equal(at) || m.SequenceID != 42 {
		t.Errorf("got %+v", m)
	}
	if m.Properties["from"] != "the publishers and the call" {
		t.Errorf("WithMessage: %v", m.Properties)
	}
	for name, opt := range map[string]bq.PublishOption{
		"the id is blank":                  bq.WithID(" "),
		"changed the body":                 bq.WithMessage(func(m *pulsar.ProducerMessage) { m.Payload = []byte("{}") }),
		"changed the property bq-attempts": bq.WithMessage(setAttempts),
		"nil":                              nil,
	} {
		if _, err := publisher.Publish(ctx, order{ID: 1}, opt); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := broker.SendCount(q.Topic); got != 1 {
		t.Errorf("%d messages were sent, want 1", got)
	}
}

// An outbox stores the complete message with what it is about, and sends it later, perhaps twice, as the same message.
func TestAStoredMessageIsSentLaterUnderTheSameIdentity(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		consumer := b.subscribe(t, q.Topic, "peek")
		producers := b.producers(t)
		ctx := context.Background()
		message, err := bq.NewPublisher(producers, orders(q)).Message(ctx, order{ID: 5, Note: "ü"},
			bq.WithKey("k"), bq.WithTraceID("trace-1"), bq.WithProperties(map[string]string{"tenant": "t"}))
		if err != nil {
			t.Fatal(err)
		}
		row, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		var stored bq.StoredMessage
		if err := json.Unmarshal(row, &stored); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			sent, err := producers.Send(ctx, stored)
			if err != nil {
				t.Fatal(err)
			}
			m := receive(t, consumer)
			if sent.ID != message.ID || sent.TraceID != "trace-1" || sent.MessageID == nil ||
				string(m.Payload()) != string(message.Body) ||
				m.Properties()["bq-message-id"] != message.ID || m.Properties()["tenant"] != "t" || m.Key() != "k" {
				t.Errorf("got %+v: %q %v", sent, m.Payload(), m.Properties())
			}
		}
		for name, change := range map[string]func(*bq.StoredMessage){
			"no topic":         func(m *bq.StoredMessage) { m.Topic = "" },
			"not an envelope":  func(m *bq.StoredMessage) { m.Body = []byte("{") },
			"its ID":           func(m *bq.StoredMessage) { m.ID = "another" },
			"bq-message-id is": func(m *bq.StoredMessage) { m.Properties = nil },
		} {
			changed := stored
			change(&changed)
			if _, err := producers.Send(ctx, changed); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Middleware sees each message with its payload encoded, and can replace it.
func TestPublishMiddleware(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	b := &backend{client: broker.Client(), memory: broker}
	q := newQueue()
	type outcome struct {
		id  string
		err error
	}
	outcomes := make(chan outcome, 10)
	var refuse error
	outer := func(next bq.PublishHandler) bq.PublishHandler {
		return func(ctx context.Context, m *bq.OutgoingMessage) (bq.PublishResult, error) {
			m.OnResult(func(r bq.PublishResult, err error) { outcomes <- outcome{r.ID, err} })
			m.OnResult(func(bq.PublishResult, error) { panic("a hook's panic") })
			if refuse != nil {
				return bq.PublishResult{}, refuse
			}
			m.Properties["urn"] = m.URN()
			m.Key = m.ID()
			return next(ctx, m)
		}
	}
	inner := func(next bq.PublishHandler) bq.PublishHandler {
		return func(ctx context.Context, m *bq.OutgoingMessage) (bq.PublishResult, error) {
			m.SetData([]byte(strings.Replace(string(m.Data()), `"order_id":1`, `"order_id":2`, 1)))
			return next(ctx, m)
		}
	}
	producers := b.producers(t, bq.WithPublishMiddleware(outer, inner))
	publisher := bq.NewPublisher(producers, orders(q))
	ctx := context.Background()
	sent, err := publisher.Publish(ctx, order{ID: 1})
	if err != nil || sent.MessageID == nil {
		t.Fatal(sent, err)
	}
	done := make(chan outcome, 1)
	publisher.PublishAsync(ctx, order{ID: 1}, func(r bq.PublishResult, err error) { done <- outcome{r.ID, err} })
	async := await(t, done, "the callback")
	if async.err != nil {
		t.Error(async.err)
	}
	for _, want := range []string{sent.ID, async.id} {
		if got := await(t, outcomes, "an outcome"); got.id != want || got.err != nil {
			t.Errorf("got %+v, want %s", got, want)
		}
	}
	for i, m := range broker.Messages(q.Topic) {
		if m.Properties["urn"] != orderURN || m.Key != []string{sent.ID, async.id}[i] ||
			!strings.Contains(string(m.Payload), `"order_id":2`) {
			t.Errorf("message %d: %q with %v and key %s", i, m.Payload, m.Properties, m.Key)
		}
	}
	stored, err := publisher.Message(ctx, order{ID: 1})
	if err != nil || stored.Key != stored.ID || !strings.Contains(string(stored.Body), `"order_id":2`) {
		t.Errorf("Message: %+v, %v", stored, err)
	}
	<-outcomes

	refuse = errors.New("not today")
	if _, err := publisher.Publish(ctx, order{ID: 1}); !errors.Is(err, refuse) {
		t.Errorf("Publish: %v", err)
	}
	publisher.PublishAsync(ctx, order{ID: 1}, func(r bq.PublishResult, err error) { done <- outcome{r.ID, err} })
	if got := await(t, done, "the callback"); !errors.Is(got.err, refuse) {
		t.Errorf("PublishAsync: %v", got.err)
	}
	if _, err := publisher.PublishAll(ctx, []order{{ID: 1}, {ID: 2}}); !errors.Is(err, refuse) {
		t.Errorf("PublishAll: %v", err)
	}
	for range 4 {
		if got := await(t, outcomes, "an outcome"); !errors.Is(got.err, refuse) {
			t.Errorf("got %+v", got)
		}
	}
	if got := broker.SendCount(q.Topic); got != 2 {
		t.Errorf("%d messages were sent, want 2", got)
	}
}

// Middleware that is none is an error of publishing, and so is data that is not JSON.
func TestPublishMiddlewareThatIsWrong(t *testing.T) {
	broker := bqtest.NewBroker(t)
	for name, mw := range map[string]bq.PublishMiddleware{
		"a middleware is nil": nil,
		"returned no handler": func(bq.PublishHandler) bq.PublishHandler { return nil },
		"no handler today":    func(bq.PublishHandler) bq.PublishHandler { panic("no handler today") },
		"no message today": func(bq.PublishHandler) bq.PublishHandler {
			return func(context.Context, *bq.OutgoingMessage) (bq.PublishResult, error) { panic("no message today") }
		},
		"not JSON": func(next bq.PublishHandler) bq.PublishHandler {
			return func(ctx context.Context, m *bq.OutgoingMessage) (bq.PublishResult, error) {
				m.SetData([]byte("\x00"))
				return next(ctx, m)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			producers := bq.NewProducers(broker.Client(), bq.WithLogger(quiet), bq.WithPublishMiddleware(mw))
			defer producers.Close(context.Background())
			publisher := bq.NewPublisher(producers, orders(newQueue()))
			_, err := publisher.Publish(context.Background(), order{})
			failed := make(chan error, 2)
			publisher.PublishAsync(context.Background(), order{}, func(_ bq.PublishResult, err error) { failed <- err })
			for _, err := range []error{err, await(t, failed, "the callback")} {
				if err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}
