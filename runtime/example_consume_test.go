package bq_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A mailer handles every message of the queue notifications. If the catalog gets a new message for the queue, this
// type does not compile until it has a method for it.
type mailer struct{}

func (mailer) HandleReceiptRequested(_ context.Context, m *bq.Message[orderevents.ReceiptRequested]) error {
	fmt.Println("mail a receipt to", m.Data.Email)
	return nil
}

func (mailer) HandleReminderRequested(_ context.Context, m *bq.Message[orderevents.ReminderRequested]) error {
	fmt.Println("remind", m.Data.Email)
	return nil
}

func (mailer) HandleReceiptSent(context.Context, *bq.Message[orderevents.ReceiptSent]) error {
	return nil
}

// A generated consumer takes one handler with a method for each message of the queue.
func ExampleConsumer_Run() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()
	publishers := orderevents.NewPublishers(client)
	defer publishers.Close(context.Background())
	ctx := context.Background()
	receipt := orderevents.ReceiptRequested{OrderID: 1, Email: "ada@example.com"}
	_, err := publishers.ReceiptRequested.Publish(ctx, receipt)
	check(err)
	reminder := orderevents.ReminderRequested{OrderID: 2, Email: "bob@example.com"}
	_, err = publishers.ReminderRequested.Publish(ctx, reminder)
	check(err)

	consumer, err := orderevents.NewNotificationsConsumer(client, mailer{})
	check(err)
	consume(broker, consumer, "notifications", 2) // calls Run
	// Output:
	// mail a receipt to ada@example.com
	// remind bob@example.com
}

// A service that needs only some messages of a queue has routes for these. Others are retried and dead-lettered, unless
// WithUnknownURN takes them. With a subscription of its own, the service does not take messages away from others.
func ExampleRoutes() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()
	publish(broker, cancelled(1042))

	refund := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("refund order", m.Data.OrderID)
		return nil
	}
	collect := func(_ context.Context, m *bq.Message[orderevents.PaymentCaptured]) error {
		fmt.Println("collected", m.Data.Amount)
		return nil
	}
	consumer, err := bq.NewConsumer(client, orderevents.OrdersQueue(),
		bq.Routes(orderevents.OnOrderCancelled(refund), orderevents.OnPaymentCaptured(collect)),
		bq.WithSubscription("billing"))
	check(err)
	stop := start(consumer)
	defer stop()
	waitFor(broker, func() bool { return broker.Acked("orders", "billing") == 1 })
	// Output: refund order 1042
}

// With a concurrency of 2, two handlers run at the same time: neither could return here without the other.
func ExampleWithConcurrency() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1), cancelled(2))

	var both sync.WaitGroup
	both.Add(2)
	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
		both.Done()
		both.Wait()
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(broker.Client(), orderevents.OrdersQueue(), routes, bq.WithConcurrency(2))
	check(err)
	consume(broker, consumer, "orders", 2)
	fmt.Println("acknowledged:", broker.Acked("orders", "babelqueue"))
	// Output: acknowledged: 2
}

// Ready is closed once the consumer has subscribed. A readiness probe answers by it.
func ExampleConsumer_Ready() {
	broker := bqtest.New()
	defer broker.Close()
	consumer, err := orderevents.NewNotificationsConsumer(broker.Client(), mailer{})
	check(err)
	ready := func() bool {
		select {
		case <-consumer.Ready():
			return true
		default:
			return false
		}
	}

	fmt.Println("ready:", ready())
	stop := start(consumer)
	defer stop()
	<-consumer.Ready()
	fmt.Println("ready:", ready(), "consumers:", broker.Consumers("notifications", "babelqueue"))
	// Output:
	// ready: false
	// ready: true consumers: 1
}

// A consumer that the service subscribed itself can have any options of the Pulsar client. The runtime cannot see its
// subscription type, so the type is declared.
func ExampleWithPulsarConsumer() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()
	publish(broker, cancelled(1042))

	subscribed, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: orderevents.OrdersQueue().Topic, SubscriptionName: "audit", Type: pulsar.KeyShared,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
	})
	check(err)
	defer subscribed.Close()
	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("audit order", m.Data.OrderID)
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(client, orderevents.OrdersQueue(), routes,
		bq.WithPulsarConsumer(subscribed), bq.WithSubscriptionType(pulsar.KeyShared))
	check(err)
	stop := start(consumer)
	defer stop()
	waitFor(broker, func() bool { return broker.Acked("orders", "audit") == 1 })
	// Output: audit order 1042
}

// Some producers write envelopes without the members that the contract requires. The identity verdict accepts every
// body that has a URN and no known member of a wrong type.
func ExampleWithIdentityVerdict() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	check(err)
	defer producer.Close()
	_, err = producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte(
		`{"job":"urn:babel:orders:cancelled","data":{"order_id":1042,"customer_id":"c-7","reason":"fraud"}}`)})
	check(err)

	handle := func(_ context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
		fmt.Println("order", m.Data.OrderID)
		return nil
	}
	routes := bq.Routes(orderevents.OnOrderCancelled(handle))
	consumer, err := bq.NewConsumer(client, orderevents.OrdersQueue(), routes, bq.WithIdentityVerdict())
	check(err)
	consume(broker, consumer, "orders", 1)
	// Output: order 1042
}
