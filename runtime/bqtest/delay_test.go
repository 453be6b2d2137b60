package bqtest_test

import (
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestDelayedDelivery(t *testing.T) {
	for name, tc := range map[string]struct {
		msg   pulsar.ProducerMessage
		delay time.Duration
	}{
		"DeliverAfter": {pulsar.ProducerMessage{DeliverAfter: 5 * time.Second}, 5 * time.Second},
		"DeliverAt":    {pulsar.ProducerMessage{DeliverAt: start.Add(7 * time.Second)}, 7 * time.Second},
		"DeliverAfter over DeliverAt": {
			pulsar.ProducerMessage{DeliverAfter: time.Second, DeliverAt: start.Add(time.Hour)}, time.Second,
		},
		"a negative DeliverAfter":     {pulsar.ProducerMessage{DeliverAfter: -time.Second}, 0},
		"a DeliverAt that has passed": {pulsar.ProducerMessage{DeliverAt: start.Add(-time.Second)}, 0},
	} {
		for typeName, typ := range types {
			t.Run(name+"/"+typeName, func(t *testing.T) {
				broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
				client := broker.Client()
				c := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
				msg := tc.msg
				msg.Payload = []byte("a")
				send(t, produce(t, client, pulsar.ProducerOptions{}), msg)
				if tc.delay > 0 && (typ == pulsar.Shared || typ == pulsar.KeyShared) {
					broker.Advance(tc.delay - 1)
					if got := ready(t, c); got != nil {
						t.Errorf("%q delivered too early", got)
					}
					if n := broker.Backlog("orders", "sub"); n != 1 {
						t.Errorf("backlog %d, want 1", n)
					}
					broker.Advance(1)
				}
				if diff := cmp.Diff([]string{"a"}, ready(t, c)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestADelayedMessageHoldsUpNoOther(t *testing.T) {
	for _, typ := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.KeyShared} {
		broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
		client := broker.Client()
		c := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
		p := produce(t, client, pulsar.ProducerOptions{})
		for s, d := range map[string]time.Duration{
			"3s": 3 * time.Second, "1s": time.Second, "2s": 2 * time.Second, "now": 0,
		} {
			send(t, p, pulsar.ProducerMessage{Payload: []byte(s), Key: "k", DeliverAfter: d})
		}
		if diff := cmp.Diff([]string{"now"}, ready(t, c)); diff != "" {
			t.Error(diff)
		}
		broker.Advance(time.Minute)
		if diff := cmp.Diff([]string{"1s", "2s", "3s"}, ready(t, c)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestADelayOutlivesConsumers(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	send(t, produce(t, client, pulsar.ProducerOptions{}),
		pulsar.ProducerMessage{Payload: []byte("a"), DeliverAfter: time.Minute})
	broker.Advance(time.Second)
	c.Close()
	c = subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	if got := ready(t, c); got != nil {
		t.Errorf("%q delivered too early", got)
	}
	broker.Advance(59 * time.Second)
	if diff := cmp.Diff([]string{"a"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
}
