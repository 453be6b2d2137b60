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

// A generated function reads what is on a queue's topic, without consuming it. The payload is of one of the queue's
// types. A message that cannot be decoded is an error for that message only.
func ExampleRead() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()
	publish(broker, cancelled(1042), cancelled(1043))
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	check(err)
	defer producer.Close()
	_, err = producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte("what is this?")})
	check(err)

	for m, err := range orderevents.ReadOrders(context.Background(), client) {
		var unreadable *bq.UnreadableError
		switch {
		case errors.As(err, &unreadable):
			fmt.Printf("%s: %s\n", unreadable.Reason, unreadable.Body)
			continue
		case err != nil:
			fmt.Println(err) // the last one
			continue
		}
		switch order := m.Data.(type) {
		case *orderevents.OrderCreated:
			fmt.Println("placed", order.OrderID)
		case *orderevents.OrderCancelled:
			fmt.Println("called off", order.OrderID)
		}
	}
	// Output:
	// called off 1042
	// called off 1043
	// poison: what is this?
}

// A reader that goes on where it ended starts after the last message that it has read.
func ExampleAfterID() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()
	ctx := context.Background()
	publish(broker, cancelled(1), cancelled(2))

	var last pulsar.MessageID
	for m, err := range orderevents.ReadOrders(ctx, client) {
		check(err)
		last = m.MessageID
	}
	publish(broker, cancelled(3))
	for m, err := range orderevents.ReadOrders(ctx, client, bq.AfterID(last)) {
		check(err)
		fmt.Println(m.Data.(*orderevents.OrderCancelled).OrderID)
	}
	// Output: 3
}

// The Pulsar reader's own options are set by a function.
func ExampleWithReaderOptions() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	publish(broker, cancelled(1))

	named := bq.WithReaderOptions(func(o *pulsar.ReaderOptions) { o.Name = "audit" })
	for m, err := range orderevents.ReadOrders(context.Background(), broker.Client(), named) {
		check(err)
		fmt.Println(m.URN)
	}
	// Output: urn:babel:orders:cancelled
}
