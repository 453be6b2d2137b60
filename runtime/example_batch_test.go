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

// A batch handler gets several messages at a time. When one of them fails, those before it are acknowledged, and it
// comes again, first in the next batch.
func ExampleFailedAt() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2), cancelled(3))

	failed := false
	refund := func(_ context.Context, batch []*bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("a batch of", len(batch))
		for i, m := range batch {
			if m.Data.OrderID == 2 && !failed {
				failed = true
				return bq.FailedAt(i, errors.New("the bank does not answer"))
			}
			fmt.Println("refund order", m.Data.OrderID)
		}
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelledBatch(refund, bq.Batch{Size: 3, Wait: time.Minute}))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithRetryInPlace(1, bq.NoBackoff))
	check(err)
	consume(broker, consumer, "orders", 3)
	// Output:
	// a batch of 3
	// refund order 1
	// a batch of 2
	// refund order 2
	// refund order 3
}

// A batch handler can decide each message by itself.
func ExampleResults() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))

	refund := func(_ context.Context, batch []*bq.Message[orderevents.OrderCancelled]) error {
		results := make([]error, len(batch))
		for i, m := range batch {
			if m.Data.OrderID == 1 {
				results[i] = bq.Permanent(errors.New("there is nothing to refund"))
			}
		}
		return bq.Results(results)
	}
	routes := bq.Routes(orderevents.OnOrderCancelledBatch(refund, bq.Batch{Size: 2, Wait: time.Minute}))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	consume(broker, consumer, "orders", 2)
	fmt.Println("dead letters:", len(broker.Messages("orders.dlq")))
	// Output: dead letters: 1
}

// In manual mode, a message is settled when the service says so, here after the handlers of both have returned.
func ExampleWithAckMode() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))

	kept := make(chan *bq.Message[orderevents.OrderCancelled], 2)
	keep := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		kept <- m
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(keep))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithAckMode(bq.AckManual), bq.WithUnordered())
	check(err)
	stop := start(consumer)
	defer stop()
	first, second := <-kept, <-kept
	check(second.Ack())
	check(first.Ack())
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 2 })
	fmt.Println("too late:", first.Fail(errors.New("no")))
	// Output: too late: the message is settled already
}

// A handler that needs more time than usual extends it.
func ExampleDelivery_Extend() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1))

	refund := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		return m.Extend(time.Minute)
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(refund))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithRouteTimeout(orderevents.OrderCancelledURN, 10*time.Second))
	check(err)
	consume(broker, consumer, "orders", 1)
	fmt.Println("acknowledged:", broker.Acked("orders", "babelqueue"))
	// Output: acknowledged: 1
}

// A stream is pulled by a loop. Each message is settled by Ack or Fail.
func ExampleStream() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2), cancelled(3))

	stream, err := orderevents.NewOrdersStream(broker.Client())
	check(err)
	for m, err := range stream.Messages(context.Background()) {
		check(err)
		order := m.Data.(*orderevents.OrderCancelled)
		if order.OrderID == 3 {
			break // it is delivered again
		}
		fmt.Println("called off", order.OrderID)
		check(m.Ack())
	}
	fmt.Println("acknowledged:", broker.Acked("orders", "babelqueue"))
	// Output:
	// called off 1
	// called off 2
	// acknowledged: 2
}
