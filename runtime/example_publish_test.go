package bq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func ExamplePublisher_Publish() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()

	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background()) // flushes pending messages
	result, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(1042))
	check(err)

	sent := broker.Messages("orders")[0]
	fmt.Println("stored as", result.MessageID != nil, "known as", result.ID == sent.Properties["bq-message-id"])
	fmt.Println(sent.Properties["bq-job"])
	// Output:
	// stored as true known as true
	// urn:babel:orders:cancelled
}

// The catalog names the member of the payload that is the message key. WithKey overrides it for one message.
func ExampleWithKey() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	ctx := context.Background()
	_, err := publishers.OrderCancelled.Publish(ctx, cancelled(1042))
	check(err)
	_, err = publishers.OrderCancelled.Publish(ctx, cancelled(1042), bq.WithKey("vip"))
	check(err)

	for _, sent := range broker.Messages("orders") {
		fmt.Println(sent.Key)
	}
	// Output:
	// c-2
	// vip
}

func ExampleWithDelay() {
	broker := bqtest.New(bqtest.WithManualClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	reminder := orderevents.ReminderRequested{OrderID: 1042, Email: "ada@example.com"}
	_, err := publishers.ReminderRequested.Publish(context.Background(), reminder, bq.WithDelay(48*time.Hour))
	check(err)

	handle := func(context.Context, *bq.Message[orderevents.ReminderRequested]) error {
		fmt.Println("reminded on", broker.Now().Format(time.DateOnly))
		return nil
	}
	routes := bq.Routes(orderevents.OnReminderRequested(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.NotificationsQueue(), routes)
	check(err)
	stop := start(consumer)
	defer stop()
	<-consumer.Ready()
	broker.Advance(48 * time.Hour)
	waitFor(broker, func() bool { return broker.Acked("notifications", "babelqueue") == 1 })
	// Output: reminded on 2026-03-03
}

// All messages that are published while one request is served belong to one trace.
func ExampleContextWithTraceID() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	ctx := bq.ContextWithTraceID(context.Background(), "checkout-81")
	first, err := publishers.OrderCancelled.Publish(ctx, cancelled(1))
	check(err)
	second, err := publishers.OrderCancelled.Publish(ctx, cancelled(2), bq.WithTraceID("refund-5"))
	check(err)
	fmt.Println(first.TraceID, second.TraceID)
	// Output: checkout-81 refund-5
}

// A handler's context carries the trace of its message, so what the handler publishes continues the trace.
func ExampleTraceID() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())
	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(1042), bq.WithTraceID("checkout-81"))
	check(err)

	handle := func(ctx context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		receipt := orderevents.ReceiptRequested{OrderID: m.Data.OrderID, Email: "ada@example.com"}
		result, err := publishers.ReceiptRequested.Publish(ctx, receipt)
		fmt.Println(bq.TraceID(ctx), result.TraceID)
		return err
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output: checkout-81 checkout-81
}

// Extra meta travels in the body, so every consumer in every language sees it.
func ExampleWithMeta() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	ext := map[string]any{"ext": map[string]any{"acme": map[string]any{"tenant": "eu-3"}}}
	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(1042), bq.WithMeta(ext))
	check(err)

	var body struct {
		Meta struct {
			Ext json.RawMessage `json:"ext"`
		} `json:"meta"`
	}
	check(json.Unmarshal(broker.Messages("orders")[0].Payload, &body))
	fmt.Println(string(body.Meta.Ext))

	taken := map[string]any{"id": "1"}
	_, err = publishers.OrderCancelled.Publish(context.Background(), cancelled(1042), bq.WithMeta(taken))
	fmt.Println(err)
	// Output:
	// {"acme":{"tenant":"eu-3"}}
	// publish urn:babel:orders:cancelled to persistent://public/default/orders: /meta/id is written by the envelope itself
}

// Properties are next to the body: programs can read them without parsing it.
func ExampleWithProperties() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	properties := map[string]string{"region": "eu", "bq-job": "ignored: the contract's own names win"}
	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(1042), bq.WithProperties(properties))
	check(err)

	sent := broker.Messages("orders")[0]
	fmt.Println(sent.Properties["region"], sent.Properties["bq-job"])
	// Output: eu urn:babel:orders:cancelled
}
