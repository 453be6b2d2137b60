package bq_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// By default, a message that the consumer has no route for is retried and dead-lettered. Here a handler takes it.
func ExampleWithUnknownURN() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	collect := func(context.Context, *bq.Message[orderevents.PaymentCaptured]) error { return nil }
	skip := func(_ context.Context, d *bq.Delivery) error {
		fmt.Printf("skip %s with %s\n", d.URN, d.Data())
		return nil
	}
	routes := bq.Routes(orderevents.OnPaymentCaptured(collect))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithUnknownURN(skip))
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output: skip urn:babel:orders:cancelled with {"order_id":1042,"customer_id":"c-2","reason":"fraud"}
}

// An observer sees each failed delivery, with the error that a handler returned or that kept the message from it.
func ExampleObserver_failed() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		return bq.Permanent(errors.New("no such order"))
	}
	report := func(_ context.Context, f bq.Failure) {
		fmt.Printf("%s, attempt %d: %v\n", f.Delivery.URN, f.Delivery.Attempt(), f.Err)
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithObserver(bq.Observer{Failed: report}))
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output: urn:babel:orders:cancelled, attempt 1: no such order
}

// An observer sees what was done with each delivery: what a metric counts.
func ExampleWithObserver() {
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
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithObserver(bq.Observer{Settled: observe}), bq.WithRetryBackoff(bq.NoBackoff))
	check(err)
	consume(broker, consumer, "orders", 4)
	// Output:
	// acknowledged attempt 1 error: <nil>
	// retried attempt 1 error: no stock
	// retried attempt 2 error: no stock
	// dead-lettered attempt 3 error: no stock
}
