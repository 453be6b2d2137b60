package bq_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A handler is a function: a unit test calls it, without a consumer and without Pulsar.
func Example_testHandler() {
	refund := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		if m.Data.Refund == nil && m.Attempt() < 2 {
			return errors.New("the refund is not known yet")
		}
		return nil
	}

	m := &bq.Message[orderevents.OrderCancelled]{Data: orderevents.OrderCancelled{OrderID: 1042}}
	fmt.Println(refund(context.Background(), m))
	m.Attempts = 1 // delivered once before
	fmt.Println(refund(context.Background(), m))
	// Output:
	// the refund is not known yet
	// <nil>
}

// A test of the whole path runs the consumer on Pulsar in memory and looks at what the broker has stored. In a test,
// bqtest.NewBroker(t) closes the broker and reports mistakes to t.
func Example_testConsumer() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())
	handle := func(ctx context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		receipt := orderevents.ReceiptRequested{OrderID: m.Data.OrderID, Email: "ada@example.com"}
		_, err := publishers.ReceiptRequested.Publish(ctx, receipt)
		return err
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	consume(broker, consumer, "orders", 1)

	fmt.Println("acknowledged:", broker.Acked("orders", "babelqueue"), "misuse:", broker.Violations())
	for _, sent := range broker.Messages("notifications") {
		body, err := envelope.Parse(sent.Payload)
		check(err)
		fmt.Printf("%s %s\n", body.URN(), body.Data)
	}
	// Output:
	// acknowledged: 1 misuse: []
	// urn:babel:mail:receipt.requested {"order_id":1042,"email":"ada@example.com"}
}
