// Command first is a first service: it handles orders, refunds those that are cancelled, and requests a receipt for
// each refund. Its test shows that it survives an outage of the bank, a SIGTERM and messages that it cannot handle.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
)

func main() {
	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: "pulsar://localhost:6650"})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	refund := func(_ context.Context, orderID int64) error {
		fmt.Println("refund order", orderID) // a request to the bank, which takes the context
		return nil
	}
	if err := run(client, refund); err != nil {
		log.Print(err)
	}
}

// run handles orders until the process is told to stop. Then it finishes the order in hand and returns nil.
func run(client pulsar.Client, refund func(ctx context.Context, orderID int64) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	publishers := orderevents.NewPublishers(client)
	defer publishers.Close(context.Background())

	handler := &service{refund, publishers.ReceiptRequested}
	consumer, err := orderevents.NewOrdersConsumer(client, handler, bq.WithHandlerTimeout(time.Minute))
	if err != nil {
		return err
	}
	return bq.Run(ctx, consumer)
}

// service has a method for each message of the queue orders.
type service struct {
	refund   func(ctx context.Context, orderID int64) error
	receipts orderevents.ReceiptRequestedPublisher
}

// HandleOrderCancelled may see an order twice, like every handler: the bank ignores a second refund of an order.
func (s *service) HandleOrderCancelled(ctx context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
	if err := s.refund(ctx, m.Data.OrderID); err != nil {
		return err // the message is retried, 1 to 2 s later the first time
	}
	_, err := s.receipts.Publish(ctx, orderevents.ReceiptRequested{
		OrderID: m.Data.OrderID, Email: m.Data.CustomerID + "@example.com",
	})
	return err
}

func (*service) HandleOrderCreated(context.Context, *bq.Message[orderevents.OrderCreated]) error {
	return nil
}

func (*service) HandlePaymentCaptured(context.Context, *bq.Message[orderevents.PaymentCaptured]) error {
	return nil
}

func (*service) HandleParcelDispatched(context.Context, *bq.Message[orderevents.ParcelDispatched]) error {
	return nil
}
