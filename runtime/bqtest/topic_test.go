package bqtest

import (
	"fmt"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"
)

func TestATopicForgetsWhatIsAcknowledged(t *testing.T) {
	for _, typ := range []pulsar.SubscriptionType{pulsar.Exclusive, pulsar.Shared, pulsar.Failover, pulsar.KeyShared} {
		b := New(WithDisconnectsCounted())
		client := b.Client()
		c, err := client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub", Type: typ})
		if err != nil {
			t.Fatal(err)
		}
		p, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
		if err != nil {
			t.Fatal(err)
		}
		const rounds, each = 100, 50
		for range rounds {
			for i := range each {
				if _, err := p.Send(t.Context(), &pulsar.ProducerMessage{Key: fmt.Sprint(i)}); err != nil {
					t.Fatal(err)
				}
			}
			ms := make([]pulsar.Message, each)
			for i := range ms {
				if ms[i], err = c.Receive(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for i := range ms { // last first, so that the cursor has gaps
				if err := c.Ack(ms[each-1-i]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := p.Send(t.Context(), &pulsar.ProducerMessage{}); err != nil {
			t.Fatal(err)
		}
		last, err := c.Receive(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.Nack(last)
		c.Close() // with a nack that is not due
		if n := len(b.timers.queue); n != 0 {
			t.Errorf("type %v: %d timers left by Close", typ, n)
		}
		c, err = client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub", Type: typ})
		if err != nil {
			t.Fatal(err)
		}
		if last, err = c.Receive(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := c.Ack(last); err != nil {
			t.Fatal(err)
		}
		topic := b.topics["persistent://public/default/orders"]
		s := topic.subs["sub"]
		left := map[string]int{
			"entries": len(topic.entries), "acked": len(s.cursor.acked), "queue": len(c.(*consumer).queue),
			"timers": len(b.timers.queue), "nacks": len(c.(*consumer).links[0].nacks),
		}
		want := map[string]int{"entries": 0, "acked": 0, "queue": 0, "timers": 0, "nacks": 0}
		if d, ok := s.d.(*sharedDispatcher); ok {
			left["pending"], left["counts"] = len(d.pending), len(d.counts)
			left["replay"], left["delayed"] = len(d.replay), len(d.delayed)
			want["pending"], want["counts"], want["replay"], want["delayed"] = 0, 0, 0, 0
			if d.keys != nil {
				left["held"], want["held"] = len(d.keys.held), 0
			}
		}
		if diff := cmp.Diff(want, left); diff != "" {
			t.Errorf("type %v: %s", typ, diff)
		}
		if n := cap(topic.entries); n > 2*each {
			t.Errorf("type %v: room for %d entries is kept", typ, n)
		}
		b.Close()
	}
}
