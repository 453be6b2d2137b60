package bq_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// Without the hook, a message that the consumer has no route for is retried and dead-lettered. With it, the hook
// handles the message: if it returns nil, the message is acknowledged.
func ExampleWithOnUnknownURN() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	collect := func(context.Context, *bq.Message[orderevents.PaymentCaptured]) error { return nil }
	skipped := func(_ context.Context, e *envelope.Envelope, _ pulsar.Message) error {
		fmt.Printf("skip %s with %s\n", e.URN(), e.Data)
		return nil
	}
	routes := bq.Routes(orderevents.OnPaymentCaptured(collect))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithOnUnknownURN(skipped))
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output: skip urn:babel:orders:cancelled with {"order_id":1042,"customer_id":"c-2","reason":"fraud"}
}

// The error hook sees each failed delivery, with the error that a handler returned or that kept the message from it.
func ExampleWithOnError() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		return bq.Permanent(errors.New("no such order"))
	}
	report := func(_ context.Context, err error, e *envelope.Envelope, _ pulsar.Message) {
		fmt.Printf("%s, delivered %d times before: %v\n", e.URN(), e.Attempts, err)
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithOnError(report))
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output: urn:babel:orders:cancelled, delivered 0 times before: no such order
}

// The observer sees what was done with each delivery: what a metric counts.
func ExampleWithOnSettled() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		if m.Data.OrderID == 2 {
			return errors.New("no stock")
		}
		return nil
	}
	observe := func(s bq.Settlement) {
		fmt.Println(s.Action, "attempt", s.Delivery.Attempt(), "error:", s.Err)
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithOnSettled(observe))
	check(err)
	consume(broker, consumer, "orders", 4)
	// Output:
	// acknowledged attempt 1 error: <nil>
	// retried attempt 1 error: no stock
	// retried attempt 2 error: no stock
	// dead-lettered attempt 3 error: no stock
}
