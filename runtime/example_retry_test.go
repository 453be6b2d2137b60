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

// A short disturbance does not count as an attempt: the handler is called again before the message is retried. Later
// messages of the same key wait, so their order is kept.
func ExampleWithRetryInPlace() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))

	calls := 0
	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		calls++
		fmt.Println("call", calls, "order", m.Data.OrderID, "attempt", m.Attempt())
		if calls < 3 {
			return errors.New("the bank does not answer")
		}
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithRetryInPlace(5, bq.ExponentialBackoff(time.Millisecond, 10*time.Millisecond)))
	check(err)
	consume(broker, consumer, "orders", 2)
	// Output:
	// call 1 order 1 attempt 1
	// call 2 order 1 attempt 1
	// call 3 order 1 attempt 1
	// call 4 order 2 attempt 1
}

// A handler that takes too long has failed, and its context ends. A handler that passes the context on to what it waits
// for returns at once.
func ExampleWithHandlerTimeout() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(ctx context.Context, _ *bq.Message[orderevents.OrderCancelled]) error {
		<-ctx.Done() // a request to a service that does not answer, which takes ctx
		fmt.Println("ended by the timeout:", errors.Is(context.Cause(ctx), bq.ErrTimeout))
		return ctx.Err()
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithHandlerTimeout(10*time.Millisecond), bq.WithMaxAttempts(1))
	check(err)
	consume(broker, consumer, "orders", 1)
	fmt.Println("dead letters:", len(broker.Messages("orders.dlq")))
	// Output:
	// ended by the timeout: true
	// dead letters: 1
}

// A function takes the messages whose last attempt has failed, instead of the dead-letter topic.
func ExampleWithOnExhausted() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		return errors.New("the bank does not answer")
	}
	store := func(_ context.Context, d *bq.Delivery, err error) error {
		fmt.Printf("store %s after %d attempts: %v\n", d.Data(), d.Attempt(), err)
		return nil // stored: the message is acknowledged
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithOnExhausted(store), bq.WithMaxAttempts(2), bq.WithRetryBackoff(bq.NoBackoff))
	check(err)
	consume(broker, consumer, "orders", 2)
	fmt.Println("dead letters:", len(broker.Messages("orders.dlq")))
	// Output:
	// store {"order_id":1042,"customer_id":"c-2","reason":"fraud"} after 2 attempts: the bank does not answer
	// dead letters: 0
}

// Dead letters are kept for the subscription that a team reads them with.
func ExampleWithDeadLetterSubscription() {
	broker := bqtest.New()
	defer broker.Close()
	publish := orderevents.NewPublishers(broker.Client())
	defer publish.Close(context.Background())

	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		return bq.Permanent(errors.New("no such order"))
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithDeadLetterSubscription("on-call"))
	check(err)
	stop := start(consumer)
	defer stop()
	<-consumer.Ready()
	_, err = publish.OrderCancelled.Publish(context.Background(), cancelled(1042))
	check(err)
	waitFor(broker, func() bool { return broker.Acked("orders", "babelqueue") == 1 })
	fmt.Println(broker.Subscriptions("orders.dlq"), broker.Backlog("orders.dlq", "on-call"))
	// Output: [on-call] 1
}
