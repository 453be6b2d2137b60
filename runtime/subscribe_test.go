package bq

import (
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestSubscriptionOptions(t *testing.T) {
	options := func(partitions int, opts ...ConsumerOption) pulsar.ConsumerOptions {
		c, err := NewConsumer(bqtest.NewBroker(t).Client(), Queue{Name: "orders", Topic: "orders"},
			routesFor("urn:x"), opts...)
		if err != nil {
			t.Fatal(err)
		}
		return c.config.queues[0].source.Options(partitions)
	}
	want := options(1)
	if want.DLQ != nil || want.RetryEnable || !want.AckWithResponse {
		t.Errorf("CFG-5: got %+v", want)
	}
	got := struct {
		Topic, Name string
		Type        pulsar.SubscriptionType
		Position    pulsar.SubscriptionInitialPosition
	}{want.Topic, want.SubscriptionName, want.Type, want.SubscriptionInitialPosition}
	expect := got
	expect.Topic, expect.Name = "orders", "babelqueue"
	expect.Type, expect.Position = pulsar.Shared, pulsar.SubscriptionPositionEarliest
	if diff := cmp.Diff(expect, got); diff != "" {
		t.Errorf("CFG-4 (-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		name       string
		partitions int
		opts       []ConsumerOption
		want       int
	}{
		{"Shared", 1, nil, 128},
		{"Shared, 4 partitions", 4, nil, 32},
		{"Shared, 100 partitions", 100, nil, 16},
		{"Failover", 4, []ConsumerOption{WithSubscriptionType(pulsar.Failover)}, 1000},
		{"asked for", 4, []ConsumerOption{WithReceiverQueueSize(7)}, 7},
	} {
		if got := options(c.partitions, c.opts...).ReceiverQueueSize; got != c.want {
			t.Errorf("F20: the receive queue of %s is %d, want %d", c.name, got, c.want)
		}
	}
	changed := options(1, WithSubscription("billing"), WithSubscriptionType(pulsar.Failover),
		WithInitialPosition(pulsar.SubscriptionPositionLatest))
	if changed.SubscriptionName != "billing" || changed.Type != pulsar.Failover ||
		changed.SubscriptionInitialPosition != pulsar.SubscriptionPositionLatest {
		t.Errorf("options: got %+v", changed)
	}
}
