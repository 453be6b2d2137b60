package bq_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// The examples use the package orderevents, which bqgen generated from examples/urns.yaml, and Pulsar in memory.
// A service replaces broker.Client() by the client that pulsar.NewClient returns.
func Example() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()

	publishers := orderevents.NewPublishers(client)
	defer publishers.Close(context.Background())
	_, err := publishers.OrderCancelled.Publish(context.Background(), orderevents.OrderCancelled{
		OrderID: 1042, CustomerID: "c-7", Reason: orderevents.OrderCancelledReasonOutOfStock,
	})
	check(err)

	ctx, stop := context.WithCancel(context.Background())
	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Printf("order %d of %s: %s\n", m.Data.OrderID, m.Data.CustomerID, m.Data.Reason)
		stop() // a service runs until it is told to stop, for example by signal.NotifyContext
		return nil
	}
	consumer, err := bq.NewConsumer(client, orderevents.OrdersQueue(), bq.Routes(orderevents.OnOrderCancelled(handle)))
	check(err)
	check(consumer.Run(ctx))
	// Output: order 1042 of c-7: out_of_stock
}

// Consumers log what they do with messages, which is not what the examples are about.
func init() { slog.SetDefault(slog.New(slog.DiscardHandler)) }

// check ends an example that cannot go on.
func check(err error) {
	if err != nil {
		log.Panic(err)
	}
}

// consume runs a consumer until it has acknowledged count messages of a topic, and then stops it.
func consume(broker *bqtest.Broker, consumer *bq.Consumer, topic string, count int) {
	stop := start(consumer)
	defer stop()
	waitFor(broker, func() bool { return broker.Acked(topic, "babelqueue") >= count })
}

// start runs a consumer in the background. The returned function stops it and waits for Run to return.
func start(consumer *bq.Consumer) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- consumer.Run(ctx) }()
	return func() {
		cancel()
		check(<-ended)
	}
}

// waitFor waits until the broker is in a state.
func waitFor(broker *bqtest.Broker, reached func() bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	check(broker.WaitUntil(ctx, reached))
}

// cancelled returns a payload for the examples.
func cancelled(orderID int64) orderevents.OrderCancelled {
	return orderevents.OrderCancelled{
		OrderID: orderID, CustomerID: fmt.Sprintf("c-%d", orderID%10), Reason: orderevents.OrderCancelledReasonFraud,
	}
}

// publish publishes payloads for the examples.
func publish(broker *bqtest.Broker, orders ...orderevents.OrderCancelled) {
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())
	for _, order := range orders {
		_, err := publishers.OrderCancelled.Publish(context.Background(), order)
		check(err)
	}
}
