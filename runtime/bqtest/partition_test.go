package bqtest_test

import (
	"fmt"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestMessagesWithoutKeyGoRoundThePartitions(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 3); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	p := produce(t, client, pulsar.ProducerOptions{})
	got := map[string]int{}
	for range 9 {
		send(t, p, pulsar.ProducerMessage{})
		got[receive(t, c).Topic()]++
	}
	want := map[string]int{}
	for i := range 3 {
		want[fmt.Sprintf("persistent://public/default/orders-partition-%d", i)] = 3
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := broker.Producers("orders"); n != 1 {
		t.Errorf("%d producers, want 1", n)
	}
	if n := broker.Consumers("orders", "sub"); n != 1 {
		t.Errorf("%d consumers, want 1", n)
	}
}

func TestARouterOfOnesOwn(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 3); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	p := produce(t, client, pulsar.ProducerOptions{
		MessageRouter: func(_ *pulsar.ProducerMessage, m pulsar.TopicMetadata) int { return int(m.NumPartitions()) - 1 },
	})
	if id := send(t, p, pulsar.ProducerMessage{}); id.PartitionIdx() != 2 {
		t.Errorf("partition %d, want 2", id.PartitionIdx())
	}
}

func TestAPartitionIsATopicOfItsOwn(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Topic: "orders-partition-1"})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c", "d")
	if diff := cmp.Diff([]string{"b", "d"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
}

func TestCreatePartitionedRefuses(t *testing.T) {
	broker := bqtest.NewBroker(t)
	produce(t, broker.Client(), pulsar.ProducerOptions{Topic: "plain"})
	if err := broker.CreatePartitioned("twice", 1); err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{"plain": 2, "twice": 2, "none": 0, "a-partition-1": 2, "a/b": 1} {
		if err := broker.CreatePartitioned(name, n); err == nil {
			t.Errorf("CreatePartitioned(%q, %d): no error", name, n)
		}
	}
}

func TestSeveralTopicsInOneConsumer(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Topics: []string{"orders", "invoices"}})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{Topic: "invoices"}), "c")
	for range 3 {
		ack(t, c, receive(t, c))
	}
	if n := broker.Backlog("orders", "sub") + broker.Backlog("invoices", "sub"); n != 0 {
		t.Errorf("backlog %d, want none", n)
	}
	c.Close()
	if n := broker.Consumers("orders", "sub") + broker.Consumers("invoices", "sub"); n != 0 {
		t.Errorf("%d consumers after Close, want none", n)
	}
}

func TestAConsumerThatOneTopicRefusesLeavesTheOthers(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	subscribe(t, client, pulsar.ConsumerOptions{Topic: "busy"})
	both := pulsar.ConsumerOptions{Topics: []string{"free", "busy"}, SubscriptionName: "sub"}
	if _, err := client.Subscribe(both); err == nil {
		t.Error("Subscribe: no error")
	}
	if n := broker.Consumers("free", "sub"); n != 0 {
		t.Errorf("%d consumers left on the other topic", n)
	}
}
