package bq_test

import (
	"context"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A consumer pauses while what its handlers need is not there. What was received stays with the consumer.
func ExampleConsumer_Pause() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("order", m.Data.OrderID)
		return nil
	}
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(),
		bq.Routes(orderevents.OnOrderCancelled(handle)))
	check(err)
	consumer.Pause() // before Run: it begins with a pause
	stop := start(consumer)
	defer stop()
	<-consumer.Ready()
	fmt.Println(consumer.Status().State, broker.Acked("orders", "babelqueue"))

	consumer.Resume()
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 2 })
	fmt.Println(consumer.Status().State)
	// Output:
	// paused 0
	// order 1
	// order 2
	// running
}

// Status says what a consumer is doing, and why it receives nothing.
func ExampleConsumer_Status() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2), cancelled(3))

	handling, finish := make(chan bool), make(chan bool)
	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		handling <- true
		<-finish
		return nil
	}
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(),
		bq.Routes(orderevents.OnOrderCancelled(handle)), bq.WithMaxUnsettled(bq.Limit{Messages: 1}))
	check(err)
	fmt.Println(consumer.Status().State)
	stop := start(consumer)
	<-handling
	status := consumer.Status()
	fmt.Println(status.State, "unsettled:", status.Unsettled, "handling:", status.Handling)

	go func() {
		for range 2 {
			<-handling
		}
	}()
	close(finish)
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 3 })
	stop()
	fmt.Println(consumer.Status().State)
	// Output:
	// idle
	// running unsettled: 1 handling: 1
	// idle
}

// Drain settles what the consumer has received, for example before a service moves.
func ExampleConsumer_Drain() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))
	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error { return nil }
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(),
		bq.Routes(orderevents.OnOrderCancelled(handle)))
	check(err)
	stop := start(consumer)
	defer stop()
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 2 })

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	fmt.Println(consumer.Drain(ctx), consumer.Status().State, consumer.Status().Unsettled)
	// Output: <nil> paused 0
}
