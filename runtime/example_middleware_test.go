package bq_test

import (
	"context"
	"fmt"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

type tenantKey struct{}

// Middleware runs around every handler of a consumer: to log, to measure, to put something into the context.
func ExampleWithMiddleware() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1042))

	logged := func(next bq.Handler) bq.Handler {
		return func(ctx context.Context, d *bq.Delivery) error {
			fmt.Println("begin", d.URN, "attempt", d.Attempt())
			err := next(ctx, d)
			fmt.Println("end:", err)
			return err
		}
	}
	tenant := func(next bq.Handler) bq.Handler {
		return func(ctx context.Context, d *bq.Delivery) error {
			return next(context.WithValue(ctx, tenantKey{}, "tenant of "+d.Queue), d)
		}
	}
	handle := func(ctx context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("order", m.Data.OrderID, "for the", ctx.Value(tenantKey{}))
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes,
		bq.WithMiddleware(logged, tenant))
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output:
	// begin urn:babel:orders:cancelled attempt 1
	// order 1042 for the tenant of orders
	// end: <nil>
}
