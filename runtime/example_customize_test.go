package bq_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// refunds returns the route of a handler that prints.
func refunds() bq.RouteSet {
	return bq.Routes(orderevents.OnOrderCancelled(
		func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
			fmt.Println("refund order", m.Data.OrderID)
			return nil
		}))
}

// A customizer sets what has no option here. What the contract depends on cannot be changed.
func ExampleWithConsumerOptions() {
	broker := bqtest.New()
	defer broker.Close()
	low := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
		o.PriorityLevel = 5
		o.Properties = map[string]string{"team": "refunds"}
	})
	_, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), refunds(), low)
	fmt.Println(err)

	elsewhere := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) { o.Topic = "elsewhere" })
	_, err = bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), refunds(), elsewhere)
	var refused *bq.CustomizerError
	if errors.As(err, &refused) {
		fmt.Println(refused)
	}
	// Output:
	// <nil>
	// WithConsumerOptions must not set Topic: use WithTopics
}

// With Pulsar's own dead-letter policy, the Pulsar client moves what has failed too often, as it is.
func ExampleWithConsumerOptions_deadLetterPolicy() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1))
	queue := orderevents.OrdersQueue()
	queue.DeadLetterTopic = "" // in the catalog: dead_letter: false
	policy := bq.WithConsumerOptions(func(o *pulsar.ConsumerOptions) {
		o.DLQ = &pulsar.DLQPolicy{MaxDeliveries: 3, DeadLetterTopic: "parked", InitialSubscriptionName: "operations"}
	})
	routes := bq.Routes(orderevents.OnOrderCancelled(
		func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
			fmt.Println("delivery", m.Attempts+1)
			return errors.New("the bank does not answer")
		}))
	consumer, err := bq.NewConsumer(broker.Client(), queue, routes, policy, bq.WithRetryBackoff(bq.NoBackoff))
	check(err)
	consume(broker, consumer, "orders", 1)
	fmt.Println("parked:", len(broker.Messages("parked")))
	// Output:
	// delivery 1
	// delivery 2
	// delivery 3
	// parked: 1
}

// Several Pulsar consumers share the handlers and the limit: on Failover, each has partitions of its own.
func ExampleWithConsumers() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	check(broker.CreatePartitioned("orders", 3))
	publish(broker, cancelled(1))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), refunds(),
		bq.WithConsumers(3), bq.WithSubscriptionType(pulsar.Failover), bq.WithConcurrency(6))
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output:
	// refund order 1
}

// Customizers of producers and messages can be for some queues only.
func ExampleWithProducerOptions() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	orders := orderevents.OrdersQueue()
	publishers := orderevents.NewPublishers(broker.Client(),
		bq.WithProducerOptions(func(o *pulsar.ProducerOptions) { o.CompressionType = pulsar.LZ4 }),
		bq.WithMessage(func(m *pulsar.ProducerMessage) { m.Properties["region"] = "eu" }, orders))
	defer publishers.Close(context.Background())
	_, err := publishers.OrderCancelled.Publish(context.Background(), cancelled(1))
	check(err)
	fmt.Println(broker.Messages("orders")[0].Properties["region"])
	// Output:
	// eu
}

// Where a namespace enforces schemas, producers need the topic's. Retries and dead letters have it, too, when the
// consumer is given the option.
func ExampleWithProducerOptions_schema() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	broker.SetNamespace("public/default", bqtest.Namespace{SchemaRequired: true})
	schema := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
		o.Schema = pulsar.NewJSONSchema(`{"type":"record","name":"Envelope","fields":[{"name":"job","type":"string"}]}`, nil)
	})
	ctx := context.Background()
	publishers := orderevents.NewPublishers(broker.Client(), schema)
	defer publishers.Close(ctx)
	_, err := publishers.OrderCancelled.Publish(ctx, cancelled(1))
	check(err)

	without := orderevents.NewPublishers(broker.Client())
	defer without.Close(ctx)
	_, err = without.OrderCancelled.Publish(ctx, cancelled(2))
	fmt.Println("without a schema:", err != nil)

	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), refunds(), schema)
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output:
	// without a schema: true
	// refund order 1
}

// With AckBatch, what was received together is acknowledged together.
func ExampleWithAckMode_batch() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), refunds(), bq.WithAckMode(bq.AckBatch))
	check(err)
	consume(broker, consumer, "orders", 2)
	// Output:
	// refund order 1
	// refund order 2
}
