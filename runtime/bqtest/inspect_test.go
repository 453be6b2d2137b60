package bqtest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestWhatTheBrokerShows(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start), bqtest.WithRetention())
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, ReceiverQueueSize: 2})
	p := produce(t, client, pulsar.ProducerOptions{Name: "me"})
	at := start.Add(-time.Hour)
	sent := pulsar.ProducerMessage{
		Payload: []byte("a"), Key: "k", OrderingKey: "o", Properties: map[string]string{"p": "q"}, EventTime: at,
	}
	send(t, p, sent)
	sendTexts(t, p, "b", "c")
	send(t, p, pulsar.ProducerMessage{Payload: []byte("d"), DeliverAfter: time.Minute})
	ack(t, c, receive(t, c))

	records := broker.Messages("orders")
	const topic = "persistent://public/default/orders"
	want := []bqtest.Record{
		{Topic: topic, Producer: "me", Payload: []byte("a"), Key: "k", OrderingKey: "o",
			Properties: map[string]string{"p": "q"}, PublishTime: start, EventTime: at},
		{Topic: topic, Producer: "me", SequenceID: 1, Payload: []byte("b"), PublishTime: start},
		{Topic: topic, Producer: "me", SequenceID: 2, Payload: []byte("c"), PublishTime: start},
		{
			Topic: topic, Producer: "me", SequenceID: 3, Payload: []byte("d"),
			PublishTime: start, DeliverAt: start.Add(time.Minute),
		},
	}
	if diff := cmp.Diff(want, records, cmpopts.IgnoreFields(bqtest.Record{}, "ID")); diff != "" {
		t.Error(diff)
	}
	records[0].Payload[0], records[0].Properties["p"] = 'X', "X"
	if again := broker.Messages("orders")[0]; string(again.Payload) != "a" || again.Properties["p"] != "q" {
		t.Error("a Record shares memory with the broker")
	}
	counts := map[string]int{
		"sent": broker.SendCount("orders"), "backlog": broker.Backlog("orders", "sub"),
		"unacked": broker.Unacked("orders", "sub"), "acked": broker.Acked("orders", "sub"),
		"producers": broker.Producers("orders"), "consumers": broker.Consumers("orders", "sub"),
	}
	wantCounts := map[string]int{"sent": 4, "backlog": 3, "unacked": 2, "acked": 1, "producers": 1, "consumers": 1}
	if diff := cmp.Diff(wantCounts, counts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{topic}, broker.Topics()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNotThereIsEmpty(t *testing.T) {
	broker := bqtest.NewBroker(t)
	produce(t, broker.Client(), pulsar.ProducerOptions{})
	for _, topic := range []string{"orders", "nowhere", "a/b"} {
		if n := len(broker.Messages(topic)) + len(broker.Subscriptions(topic)) + broker.SendCount(topic) +
			broker.Backlog(topic, "sub") + broker.Unacked(topic, "sub") + broker.Acked(topic, "sub") +
			broker.Consumers(topic, "sub"); n != 0 {
			t.Errorf("%s has something: %d", topic, n)
		}
	}
	if diff := cmp.Diff([]string{"persistent://public/default/orders"}, broker.Topics()); diff != "" {
		t.Errorf("looking made a topic: %s", diff)
	}
}

func TestWaitUntilWakesOnEveryChange(t *testing.T) {
	broker := bqtest.NewBroker(&recorder{T: t}, bqtest.WithManualClock(start))
	client := broker.Client()
	opts := pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub", Type: pulsar.Shared,
		NackRedeliveryDelay: time.Second}
	steps := make(chan func())
	go func() {
		for step := range steps {
			step()
		}
	}()
	defer close(steps)
	var (
		c pulsar.Consumer
		p pulsar.Producer
		m pulsar.Message
	)
	f := broker.Fail(bqtest.OnSend().After(1).Hang())
	for _, s := range []struct {
		name string
		step func()
		ok   func() bool
	}{
		{"a producer",
			func() { p, _ = client.CreateProducer(pulsar.ProducerOptions{Topic: "orders", DisableBatching: true}) },
			func() bool { return broker.Producers("orders") == 1 }},
		{"a consumer", func() { c, _ = client.Subscribe(opts) },
			func() bool { return broker.Consumers("orders", "sub") == 1 }},
		{"a message", func() { _, _ = p.Send(t.Context(), &pulsar.ProducerMessage{}) },
			func() bool { return broker.SendCount("orders") == 1 }},
		{"a nack that is due", func() { m, _ = c.Receive(t.Context()); c.Nack(m); broker.Advance(time.Second) },
			func() bool { return broker.Now().After(start) && broker.Unacked("orders", "sub") == 1 }},
		{"an acknowledgement", func() { m, _ = c.Receive(t.Context()); _ = c.Ack(m) },
			func() bool { return broker.Acked("orders", "sub") == 1 }},
		{"a fault met", func() { p.SendAsync(t.Context(), &pulsar.ProducerMessage{}, nil) },
			func() bool { return f.Held() == 1 }},
		{"a release", func() { f.Release() }, func() bool { return f.Held() == 0 && broker.SendCount("orders") == 2 }},
		{"the broker gone", broker.Down, func() bool { return broker.Consumers("orders", "sub") == 0 }},
		{"the broker back", broker.Up, func() bool { return broker.Consumers("orders", "sub") == 1 }},
		{"a violation", func() { _ = c.Ack(m) }, func() bool { return len(broker.Violations()) == 1 }},
		{"a close", func() { c.Close(); p.Close() },
			func() bool { return broker.Consumers("orders", "sub")+broker.Producers("orders") == 0 }},
	} {
		steps <- s.step
		if err := broker.WaitUntil(deadline(t), s.ok); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
	}
}

func TestWaitUntilEndsWithItsContext(t *testing.T) {
	broker := bqtest.NewBroker(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := broker.WaitUntil(ctx, func() bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("WaitUntil: %v, want context.Canceled", err)
	}
	if err := broker.WaitUntil(ctx, func() bool { return true }); err != nil {
		t.Errorf("WaitUntil of what holds: %v", err)
	}
}
