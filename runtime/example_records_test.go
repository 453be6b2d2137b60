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

// Others write records to a topic, of types that are not in the catalog. Each is read by the Pulsar schema that it was
// written with. In production, the schemas come from the admin API:
//
//	bq.WithSchemas(bq.SchemasFrom("http://localhost:8080", nil))
func ExampleWithRecords() {
	broker := bqtest.New(bqtest.WithRetention())
	defer broker.Close()
	client := broker.Client()

	show := func(ctx context.Context, d *bq.Delivery) error {
		fields, err := d.Fields(ctx)
		switch {
		case errors.Is(err, bq.ErrNoSchema):
			fmt.Printf("bytes: %s\n", d.Body())
			return nil
		case err != nil:
			return err // such as a look-up that failed: the message is retried
		}
		for _, f := range fields {
			fmt.Printf("%s: %v\n", f.Name, f.Value)
		}
		return nil
	}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	check(err)
	defer producer.Close()
	schema := pulsar.NewJSONSchema(`{"type":"record","name":"Parcel","fields":[
		{"name":"number","type":"long"},{"name":"to","type":"string"}]}`, nil)
	for _, m := range []pulsar.ProducerMessage{
		{Payload: []byte(`{"to":"Oslo","number":9007199254740993}`), Schema: schema}, {Payload: []byte("hello")},
	} {
		_, err := producer.Send(context.Background(), &m)
		check(err)
	}

	consumer, err := bq.NewConsumer(client, orderevents.OrdersQueue(), bq.Routes(), // with or without routes
		bq.WithRecords(show), bq.WithSchemas(broker.Schema))
	check(err)
	consume(broker, consumer, "orders", 2)
	// Output:
	// number: 9007199254740993
	// to: Oslo
	// bytes: hello
}
