package bq_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// PublishAsync does not wait for the broker. Flush waits for everything published before.
func ExamplePublisher_PublishAsync() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client(), bq.WithBatching(bq.Batching{}))
	defer publishers.Close(context.Background())

	ctx := context.Background()
	for id := range int64(3) {
		publishers.OrderCancelled.PublishAsync(ctx, cancelled(id), func(_ bq.PublishResult, err error) {
			fmt.Println("order", id, "error:", err)
		})
	}
	check(publishers.Flush(ctx))
	// Output:
	// order 0 error: <nil>
	// order 1 error: <nil>
	// order 2 error: <nil>
}

// PublishAll says which messages failed. The others are sent.
func ExamplePublisher_PublishAll() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	invalid := cancelled(2)
	invalid.Reason = "none"
	_, err := publishers.OrderCancelled.PublishAll(context.Background(),
		[]orderevents.OrderCancelled{cancelled(1), invalid, cancelled(3)})
	var all *bq.PublishAllError
	if errors.As(err, &all) {
		for _, f := range all.Failures {
			fmt.Println("message", f.Index, "of", all.Total, "failed")
		}
	}
	fmt.Println(len(broker.Messages("orders")), "messages were sent")
	// Output:
	// message 1 of 3 failed
	// 2 messages were sent
}

// An outbox stores the message in the transaction that it reports, and sends it afterwards.
func ExamplePublisher_Message() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	ctx := context.Background()
	message, err := publishers.OrderCancelled.Message(ctx, cancelled(1042), bq.WithID("order-1042-cancelled"))
	check(err)
	row, err := json.Marshal(message) // INSERT INTO outbox
	check(err)

	var stored bq.StoredMessage // SELECT FROM outbox
	check(json.Unmarshal(row, &stored))
	sent, err := publishers.Send(ctx, stored)
	check(err)
	fmt.Println(sent.ID, broker.Messages("orders")[0].Key)
	// Output: order-1042-cancelled c-2
}

// A message has the identity, the keys and the times that it is given.
func ExampleWithID() {
	clock := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	broker := bqtest.New(bqtest.WithManualClock(clock), bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(1042),
		bq.WithID("order-1042-cancelled"), // by which consumers recognize a duplicate
		bq.WithOrderingKey("customer-2"),  // wins over the key
		bq.WithSequenceID(7),              // by which a topic with deduplication recognizes what it has
		bq.WithEventTime(clock.Add(-time.Hour)),
		bq.WithDeliverAt(time.Date(2126, 3, 1, 9, 0, 0, 0, time.UTC)))
	check(err)
	sent := broker.Messages("orders")[0]
	fmt.Println(sent.Properties["bq-message-id"], sent.OrderingKey, sent.SequenceID)
	fmt.Println(sent.EventTime.UTC().Format(time.DateTime), "delivered in", sent.DeliverAt.UTC().Year())
	// Output:
	// order-1042-cancelled customer-2 7
	// 2026-03-01 08:00:00 delivered in 2126
}

// One catalog serves several environments.
func ExampleWithTopics() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	broker.SetNamespace("acme/staging", bqtest.Namespace{})
	publishers := orderevents.NewPublishers(broker.Client(), bq.WithTopics(bq.InNamespace("acme/staging")))
	defer publishers.Close(context.Background())

	_, err := publishers.ReminderRequested.Publish(context.Background(),
		orderevents.ReminderRequested{OrderID: 1042, Email: "ada@example.com"})
	check(err)
	fmt.Println(broker.Topics())
	// Output: [persistent://acme/staging/notifications]
}

// Any function of a topic's name will do. It is asked once for each topic of the catalog.
func ExampleWithTopics_function() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	broker.SetNamespace("acme/test", bqtest.Namespace{})
	testing := bq.WithTopics(func(topic string) string {
		return strings.Replace(topic, "public/default", "acme/test", 1)
	})
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(),
		bq.Routes(orderevents.OnOrderCancelled(func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
			return nil
		})), testing)
	check(err)
	stop := start(consumer)
	defer stop()
	<-consumer.Ready()
	publishers := orderevents.NewPublishers(broker.Client(), testing)
	defer publishers.Close(context.Background())

	_, err = publishers.OrderCancelled.Publish(context.Background(), cancelled(1042))
	check(err)
	fmt.Println(broker.Topics())
	// Output: [persistent://acme/test/orders persistent://acme/test/orders.dlq]
}

// Middleware sees the encoded payload and the result.
func ExampleWithPublishMiddleware() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	log := func(next bq.PublishHandler) bq.PublishHandler {
		return func(ctx context.Context, m *bq.OutgoingMessage) (bq.PublishResult, error) {
			m.Properties["tenant"] = "eu-3"
			m.OnResult(func(_ bq.PublishResult, err error) { fmt.Println(m.URN(), string(m.Data()), "error:", err) })
			return next(ctx, m)
		}
	}
	publishers := orderevents.NewPublishers(broker.Client(), bq.WithPublishMiddleware(log))
	defer publishers.Close(context.Background())
	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(1042))
	check(err)
	fmt.Println(broker.Messages("orders")[0].Properties["tenant"])
	// Output:
	// urn:babel:orders:cancelled {"order_id":1042,"customer_id":"c-2","reason":"fraud"} error: <nil>
	// eu-3
}

// fakePublisher is a fake of a publisher: the generated interface has one method.
type fakePublisher struct{ published []string }

func (f *fakePublisher) Publish(
	_ context.Context, payload orderevents.OrderCancelled, _ ...bq.PublishOption,
) (bq.PublishResult, error) {
	f.published = append(f.published, string(payload.Reason))
	return bq.PublishResult{ID: "1"}, nil
}

// A service that takes the generated interface can be tested with a fake.
func ExamplePublisher_fake() {
	cancel := func(ctx context.Context, p orderevents.OrderCancelledPublisher) error {
		_, err := p.Publish(ctx, cancelled(1042))
		return err
	}
	fake := &fakePublisher{}
	check(cancel(context.Background(), fake))
	fmt.Println(strings.Join(fake.published, ", "))
	// Output: fraud
}
