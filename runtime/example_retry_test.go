package bq_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// deadLetter returns the dead_letter block of the only message on the dead-letter topic of the queue orders.
func deadLetter(broker *bqtest.Broker) (block struct {
	Reason   string
	Error    string
	Attempts int
}) {
	record := struct {
		DeadLetter any `json:"dead_letter"`
	}{&block}
	check(json.Unmarshal(broker.Messages("orders.dlq")[0].Payload, &record))
	return block
}

// A message whose handler keeps failing is delivered three times by default, then it is dead-lettered. The option wins
// over the catalog's max_attempts, which wins over the default.
func ExampleWithMaxAttempts() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("attempt", m.Attempt())
		return errors.New("the bank does not answer")
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithMaxAttempts(2))
	check(err)
	consume(broker, consumer, "orders", 2)

	block := deadLetter(broker)
	fmt.Printf("%s after %d attempts: %s\n", block.Reason, block.Attempts, block.Error)
	// Output:
	// attempt 1
	// attempt 2
	// failed after 2 attempts: the bank does not answer
}

// An error that no retry will cure is permanent: the message is dead-lettered at once.
func ExamplePermanent() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		return bq.Permanent(fmt.Errorf("order %d does not exist", m.Data.OrderID))
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	consume(broker, consumer, "orders", 1)

	block := deadLetter(broker)
	fmt.Printf("%s after %d attempt: %s\n", block.Reason, block.Attempts, block.Error)
	// Output: failed after 1 attempt: order 1042 does not exist
}

// A handler that knows when a retry makes sense says so.
func ExampleRetryAfter() {
	broker := bqtest.New(bqtest.WithManualClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println(broker.Now().Format(time.TimeOnly), "attempt", m.Attempt())
		if m.Attempt() == 1 {
			return bq.RetryAfter(time.Hour, errors.New("the bank is closed until ten"))
		}
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	stop := start(consumer)
	defer stop()
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 1 }) // the first delivery
	broker.Advance(time.Hour)
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 2 })
	// Output:
	// 09:00:00 attempt 1
	// 10:00:00 attempt 2
}

// A backoff is a function of the number of deliveries. ExponentialBackoff returns the usual one; this one is linear.
func ExampleWithRetryBackoff() {
	broker := bqtest.New(bqtest.WithManualClock(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println(broker.Now().Format(time.TimeOnly), "attempt", m.Attempt())
		return errors.New("the bank does not answer")
	}
	linear := func(deliveries int64) time.Duration { return time.Duration(deliveries) * time.Minute }
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithRetryBackoff(linear))
	check(err)
	stop := start(consumer)
	defer stop()
	for deliveries := 1; deliveries <= 3; deliveries++ {
		waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == deliveries })
		broker.Advance(time.Duration(deliveries) * time.Minute)
	}
	// Output:
	// 09:00:00 attempt 1
	// 09:01:00 attempt 2
	// 09:03:00 attempt 3
}
