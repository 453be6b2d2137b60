package bq

import (
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestSubscriptionOptions(t *testing.T) {
	consumer := func(opts ...ConsumerOption) *Consumer {
		c, err := NewConsumer(bqtest.NewBroker(t).Client(), Queue{Name: "orders", Topic: "orders"}, routesFor("urn:x"), opts...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	want := pulsar.ConsumerOptions{
		Topic:                       "orders",
		SubscriptionName:            "babelqueue",
		Type:                        pulsar.Shared,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		ReceiverQueueSize:           16,
		NackBackoffPolicy:           nackBackoff{time.Second, time.Minute},
		NackRedeliveryDelay:         time.Second,
		AckWithResponse:             true,
	}
	if diff := cmp.Diff(want, consumer().subscription(), cmp.AllowUnexported(nackBackoff{}, pulsar.ConsumerOptions{})); diff != "" {
		t.Errorf("CFG-4, CFG-5 (-want +got):\n%s", diff)
	}
	want.SubscriptionName, want.Type, want.SubscriptionInitialPosition = "billing", pulsar.Failover, pulsar.SubscriptionPositionLatest
	want.NackRedeliveryDelay = time.Millisecond
	want.ReceiverQueueSize, want.NackBackoffPolicy = 40, nackBackoff{time.Millisecond, time.Second}
	got := consumer(WithSubscription("billing"), WithSubscriptionType(pulsar.Failover), WithInitialPosition(pulsar.SubscriptionPositionLatest),
		WithConcurrency(20), WithNackBackoff(time.Millisecond, time.Second)).subscription()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(nackBackoff{}, pulsar.ConsumerOptions{})); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}
