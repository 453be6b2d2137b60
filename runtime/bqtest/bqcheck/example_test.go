package bqcheck_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/bqtest/bqcheck"
)

// t stands for the *testing.T of a test.
type t struct{}

func (t) Helper()                           {}
func (t) Cleanup(func())                    {}
func (t) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A test hands one message to a handler, with the options of the service, and looks at what came of it.
func ExampleHandle() {
	broker := bqtest.New(bqtest.WithRetention()) // in a test: bqtest.NewBroker(t, bqtest.WithRetention())
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	refund := func(ctx context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		receipt := orderevents.ReceiptRequested{OrderID: m.Data.OrderID, Email: "ada@example.com"}
		if _, err := publishers.ReceiptRequested.Publish(ctx, receipt); err != nil {
			return err
		}
		return bq.Permanent(errors.New("the account is closed"))
	}
	order := orderevents.OrderCancelled{OrderID: 1042, CustomerID: "c-7", Reason: orderevents.OrderCancelledReasonFraud}
	s := bqcheck.Handle(t{}, broker, orderevents.OrderCancelledDefinition(), refund, order)

	fmt.Println(s.Action, s.Reason, "-", s.Err)
	for _, receipt := range bqcheck.Published(t{}, broker, orderevents.ReceiptRequestedDefinition()) {
		fmt.Println("receipt for order", receipt.OrderID)
	}
	for _, letter := range bqcheck.DeadLetters(t{}, broker, orderevents.OrderCancelledDefinition()) {
		fmt.Printf("order %d, %s after %d attempt: %s\n", letter.Data.OrderID, letter.Reason, letter.Attempts, letter.Error)
	}
	// Output:
	// dead-lettered failed - the account is closed
	// receipt for order 1042
	// order 1042, failed after 1 attempt: the account is closed
}
