package bqtest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// In a test, make the broker with bqtest.NewBroker(t): it closes itself and reports mistakes to t.
func Example() {
	broker := bqtest.New()
	defer broker.Close()
	client := broker.Client()

	consumer, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: "orders", SubscriptionName: "billing", Type: pulsar.Shared,
	})
	if err != nil {
		panic(err)
	}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		panic(err)
	}
	if _, err := producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte("hello")}); err != nil {
		panic(err)
	}
	msg, err := consumer.Receive(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s from %s\n", msg.Payload(), msg.Topic())
	fmt.Println("acknowledged:", consumer.Ack(msg) == nil, "backlog:", broker.Backlog("orders", "billing"))
	// Output:
	// hello from persistent://public/default/orders
	// acknowledged: true backlog: 0
}

func ExampleBroker_Fail() {
	broker := bqtest.New()
	defer broker.Close()
	producer, err := broker.Client().CreateProducer(pulsar.ProducerOptions{Topic: "orders.dlq"})
	if err != nil {
		panic(err)
	}
	// The broker stores the first message, but its answer does not arrive.
	lost := broker.Fail(bqtest.OnSend("orders.dlq").Times(1).Applied().Err(pulsar.ErrSendTimeout))
	for range 2 {
		_, err := producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte("dead letter")})
		fmt.Println(err)
	}
	fmt.Println("hits:", lost.Hits(), "stored:", broker.SendCount("orders.dlq"))
	// Output:
	// message send timeout: TimeoutError
	// <nil>
	// hits: 1 stored: 2
}

func ExampleFault_Hang() {
	broker := bqtest.New()
	defer broker.Close()
	producer, err := broker.Client().CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		panic(err)
	}
	slow := broker.Fail(bqtest.OnSend("orders").Hang())
	done := make(chan error)
	go func() {
		_, err := producer.Send(context.Background(), &pulsar.ProducerMessage{})
		done <- err
	}()
	_ = broker.WaitUntil(context.Background(), func() bool { return slow.Held() == 1 })
	fmt.Println("stored:", broker.SendCount("orders"))
	slow.Release()
	fmt.Println(<-done, "stored:", broker.SendCount("orders"))
	// Output:
	// stored: 0
	// <nil> stored: 1
}

func ExampleBroker_Advance() {
	broker := bqtest.New(bqtest.WithManualClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	defer broker.Close()
	client := broker.Client()
	consumer, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: "orders", SubscriptionName: "billing", Type: pulsar.Shared, NackRedeliveryDelay: time.Minute,
	})
	if err != nil {
		panic(err)
	}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		panic(err)
	}
	_, err = producer.Send(context.Background(), &pulsar.ProducerMessage{DeliverAfter: time.Hour})
	if err != nil {
		panic(err)
	}
	for _, d := range []time.Duration{time.Hour, time.Minute} {
		broker.Advance(d)
		msg, err := consumer.Receive(context.Background())
		if err != nil {
			panic(err)
		}
		fmt.Println(broker.Now().Format(time.TimeOnly), "redelivery", msg.RedeliveryCount())
		consumer.Nack(msg)
	}
	// Output:
	// 01:00:00 redelivery 0
	// 01:01:00 redelivery 1
}

func ExampleBroker_WaitUntil() {
	broker := bqtest.New()
	defer broker.Close()
	client := broker.Client()
	consumer, err := client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "billing"})
	if err != nil {
		panic(err)
	}
	go func() { // the service under test
		for msg := range consumer.Chan() {
			if consumer.Ack(msg.Message) != nil || string(msg.Payload()) == "last" {
				return
			}
		}
	}()
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		panic(err)
	}
	for _, s := range []string{"first", "last"} {
		if _, err := producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte(s)}); err != nil {
			panic(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	err = broker.WaitUntil(ctx, func() bool { return broker.Acked("orders", "billing") == 2 })
	fmt.Println(err, broker.Backlog("orders", "billing"))
	// Output: <nil> 0
}

func ExampleWithRetention() {
	broker := bqtest.New(bqtest.WithRetention()) // keep what nobody subscribes to
	defer broker.Close()
	producer, err := broker.Client().CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		panic(err)
	}
	_, err = producer.Send(context.Background(), &pulsar.ProducerMessage{
		Key: "c-7", Payload: []byte("{}"), Properties: map[string]string{"bq-job": "urn:babel:orders:created"},
	})
	if err != nil {
		panic(err)
	}
	for _, m := range broker.Messages("orders") {
		fmt.Println(m.Key, m.Properties["bq-job"])
	}
	// Output: c-7 urn:babel:orders:created
}

// A topic is unloaded while a handler works on a message: it comes again, under the same id.
func ExampleBroker_Unload() {
	broker := bqtest.New()
	defer broker.Close()
	client := broker.Client()
	consumer, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: "orders", SubscriptionName: "billing", Type: pulsar.Shared, AckWithResponse: true,
	})
	if err != nil {
		panic(err)
	}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		panic(err)
	}
	for _, s := range []string{"done", "in hand"} {
		if _, err := producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte(s)}); err != nil {
			panic(err)
		}
	}
	next := func() pulsar.Message {
		msg, err := consumer.Receive(context.Background())
		if err != nil {
			panic(err)
		}
		return msg
	}
	if err := consumer.Ack(next()); err != nil {
		panic(err)
	}
	inHand := next()
	broker.Unload("orders")
	second := next()
	fmt.Printf("%s, the same id: %t\n", second.Payload(), second.ID().String() == inHand.ID().String())
	// Output: in hand, the same id: true
}

// Messages in a batch are acknowledged and given back together.
func Example_batches() {
	broker := bqtest.New(bqtest.WithManualClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	defer broker.Close()
	client := broker.Client()
	consumer, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: "orders", SubscriptionName: "billing", Type: pulsar.Shared, AckWithResponse: true,
	})
	if err != nil {
		panic(err)
	}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		panic(err)
	}
	for _, s := range []string{"a", "b"} {
		producer.SendAsync(context.Background(), &pulsar.ProducerMessage{Payload: []byte(s)}, nil)
	}
	broker.Advance(10 * time.Millisecond) // the publish delay of a batch
	for range 2 {
		msg, err := consumer.Receive(context.Background())
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s is %d of %d; ", msg.Payload(), msg.ID().BatchIdx(), msg.ID().BatchSize())
		fmt.Println("Ack:", consumer.Ack(msg), "acknowledged:", broker.Acked("orders", "billing"))
	}
	// Output:
	// a is 0 of 2; Ack: <nil> acknowledged: 0
	// b is 1 of 2; Ack: <nil> acknowledged: 2
}

// A broker that is far away.
func ExampleFault_Delay() {
	broker := bqtest.New(bqtest.WithManualClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	defer broker.Close()
	producer, err := broker.Client().CreateProducer(pulsar.ProducerOptions{Topic: "orders", DisableBatching: true})
	if err != nil {
		panic(err)
	}
	broker.Fail(bqtest.OnSend().Delay(2 * time.Millisecond))
	for range 3 {
		producer.SendAsync(context.Background(), &pulsar.ProducerMessage{}, nil)
	}
	fmt.Println("stored:", broker.SendCount("orders"))
	broker.Advance(2 * time.Millisecond)
	fmt.Println("stored:", broker.SendCount("orders"))
	// Output:
	// stored: 0
	// stored: 3
}

// A message that is too large for its topic takes its producer along.
func ExampleBroker_SetPolicies() {
	broker := bqtest.New()
	defer broker.Close()
	broker.SetPolicies("orders", bqtest.Policies{MaxMessageSize: 1024})
	producer, err := broker.Client().CreateProducer(pulsar.ProducerOptions{
		Topic: "orders", DisableBatching: true, SendTimeout: 10 * time.Millisecond,
	})
	if err != nil {
		panic(err)
	}
	for _, size := range []int{10, 4096, 10} {
		_, err := producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: make([]byte, size)})
		fmt.Println(size, err)
	}
	fmt.Println("stored:", broker.SendCount("orders"))
	// Output:
	// 10 <nil>
	// 4096 message send timeout: TimeoutError
	// 10 message send timeout: TimeoutError
	// stored: 2
}

func ExampleBroker_SetNamespace() {
	broker := bqtest.New()
	defer broker.Close()
	client := broker.Client()
	make := func() {
		_, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "acme/staging/orders"})
		fmt.Println(err)
	}
	make()
	broker.SetNamespace("acme/staging", bqtest.Namespace{})
	make()
	// Output:
	// TopicNotFound
	// <nil>
}
