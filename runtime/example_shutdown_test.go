package bq_test

import (
	"context"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// When Run's context ends, handlers that are at work finish and their messages are settled. A service gets the context
// from signal.NotifyContext.
func ExampleConsumer_Run_shutdown() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	ctx, stop := context.WithCancel(context.Background())
	handle := func(ctx context.Context, _ *bq.Message[orderevents.OrderCancelled]) error {
		stop() // the signal comes while the handler is at work
		fmt.Println("the handler may go on:", ctx.Err() == nil)
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes)
	check(err)
	fmt.Println("Run returned", consumer.Run(ctx))
	fmt.Println("acknowledged:", broker.Acked("orders", "babelqueue"))
	// Output:
	// the handler may go on: true
	// Run returned <nil>
	// acknowledged: 1
}

// After the grace period the handler's context ends. What the handler returns then does not count as an attempt, and
// the message stays for the next consumer.
func ExampleWithGracePeriod() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	ctx, stop := context.WithCancel(context.Background())
	handle := func(ctx context.Context, _ *bq.Message[orderevents.OrderCancelled]) error {
		stop()
		<-ctx.Done() // a long request to another service, which takes ctx
		fmt.Println("interrupted:", context.Cause(ctx))
		return ctx.Err()
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithGracePeriod(10*time.Millisecond))
	check(err)
	fmt.Println("Run returned", consumer.Run(ctx))
	fmt.Println("left for the next consumer:", broker.Backlog("orders", "babelqueue"))
	// Output:
	// interrupted: the consumer is shutting down
	// Run returned <nil>
	// left for the next consumer: 1
}
