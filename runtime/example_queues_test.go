package bq_test

import (
	"context"
	"fmt"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// One consumer receives from the topics of all regions, also from those that appear later.
func ExampleWithTopicPrefix() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	region := bq.WithTopics(func(topic string) string { return topic + "-eu" })
	publishers := orderevents.NewPublishers(broker.Client(), region)
	defer publishers.Close(context.Background())
	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(7))
	check(err)

	routes := bq.Routes(orderevents.OnOrderCancelled(
		func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
			fmt.Println("order", m.Data.OrderID, "from", m.Topic)
			return nil
		}))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithTopicPrefix("orders-*"))
	check(err)
	consume(broker, consumer, "orders-eu", 1)
	// Output:
	// order 7 from persistent://public/default/orders-eu
}

// One consumer receives from two queues, with one concurrency and one limit.
func ExampleWithQueues() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())
	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(7))
	check(err)
	_, err = publishers.ReminderRequested.Publish(context.Background(), orderevents.ReminderRequested{
		OrderID: 8, Email: "mary@example.com",
	})
	check(err)

	routes := bq.Routes(
		orderevents.OnOrderCancelled(func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
			fmt.Println("refund order", m.Data.OrderID)
			return nil
		}),
		orderevents.OnReminderRequested(func(_ context.Context, m *bq.Message[orderevents.ReminderRequested]) error {
			fmt.Println("remind of order", m.Data.OrderID)
			return nil
		}),
	)
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithQueues(orderevents.NotificationsQueue()))
	check(err)
	stop := start(consumer)
	waitFor(broker, func() bool {
		return broker.Acked("orders", "babelqueue") == 1 && broker.Acked("notifications", "babelqueue") == 1
	})
	stop()
	// Unordered output:
	// refund order 7
	// remind of order 8
}
