package bq_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// refund is the handler under test in the next two examples.
func refund(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
	if m.Data.Refund == nil && m.Attempt() < 2 {
		return errors.New("the refund is not known yet")
	}
	return nil
}

// A handler is a function: a unit test calls it, without a consumer and without Pulsar.
func Example_testHandler() {
	m := &bq.Message[orderevents.OrderCancelled]{Data: orderevents.OrderCancelled{OrderID: 1042}}
	fmt.Println(refund(context.Background(), m))
	m.Attempts = 1 // delivered once before
	fmt.Println(refund(context.Background(), m))
	// Output:
	// the refund is not known yet
	// <nil>
}

// A test of the whole path runs the consumer on Pulsar in memory. In a test, bqtest.NewBroker(t) closes the broker and
// reports mistakes to t. Here the broker cannot store the retry, so the message comes again by itself.
func Example_testConsumer() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	outage := broker.Fail(bqtest.OnSend("orders").Times(1))
	routes := bq.Routes(orderevents.OnOrderCancelled(refund))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue, routes,
		bq.WithNackBackoff(time.Millisecond, time.Millisecond),
		bq.WithOnSettled(func(s bq.Settlement) { fmt.Println(s.Action, "attempt", s.Delivery.Attempt()) }))
	check(err)
	consume(broker, consumer, "orders", 1)
	fmt.Println("faults:", outage.Hits(), "acknowledged:", broker.Acked("orders", "babelqueue"))
	// Output:
	// returned attempt 1
	// acknowledged attempt 2
	// faults: 1 acknowledged: 1
}
