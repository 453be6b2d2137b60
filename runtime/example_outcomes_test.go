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

// A message that comes too early is handled later. That is no failed attempt.
func ExampleSnooze() {
	broker := bqtest.New(bqtest.WithManualClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println(broker.Now().Format(time.TimeOnly), "attempt", m.Attempt())
		if broker.Now().Hour() < 10 {
			return bq.Snooze(time.Hour)
		}
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	stop := start(consumer)
	defer stop()
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 1 })
	broker.Advance(time.Hour)
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 2 })
	// Output:
	// 09:00:00 attempt 1
	// 10:00:00 attempt 1
}

// A message that nobody needs any more is acknowledged, with a warning in the log.
func ExampleDiscard() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		return bq.Discard(errors.New("the order was deleted"))
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	consume(broker, consumer, "orders", 1)
	fmt.Println("dead letters:", len(broker.Messages("orders.dlq")))
	// Output: dead letters: 0
}

// A handler that can handle nothing any more ends the consumer. Its message stays on the topic.
func ExampleStop() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		return bq.Stop(errors.New("the credential was revoked"))
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	fmt.Println(consumer.Run(context.Background()))
	fmt.Println("left:", broker.Backlog("orders", "babelqueue"))
	// Output:
	// run consumer of queue orders: a handler stopped the consumer: the credential was revoked
	// left: 1
}

// Several consumers run side by side and stop together. One that cannot start yet tries again.
func ExampleRun() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	ctx, stop := context.WithCancel(context.Background()) // a service uses signal.NotifyContext
	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("order", m.Data.OrderID)
		stop()
		return nil
	}
	patient := bq.WithStartup(bq.StartupRetry(3, 10*time.Second))
	orders, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(),
		bq.Routes(orderevents.OnOrderCancelled(handle)), patient)
	check(err)
	notifications, err := orderevents.NewNotificationsConsumer(broker.Client(), mailer{}, patient)
	check(err)
	if err := bq.Run(ctx, orders, notifications); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Println(err)
	}
	// Output: order 1042
}
