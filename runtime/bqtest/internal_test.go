package bqtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"
)

func TestParseTopic(t *testing.T) {
	const d = "persistent://public/default/"
	for name, want := range map[string]topicName{
		"orders":                                {d + "orders", d + "orders", -1},
		"acme/shop/orders":                      {"persistent://acme/shop/orders", "persistent://acme/shop/orders", -1},
		"acme/west/shop/orders":                 {"persistent://acme/west/shop/orders", "persistent://acme/west/shop/orders", -1},
		"persistent://acme/shop/orders":         {"persistent://acme/shop/orders", "persistent://acme/shop/orders", -1},
		"orders-partition-12":                   {d + "orders-partition-12", d + "orders", 12},
		"a-partition-1-partition-2":             {d + "a-partition-1-partition-2", d + "a-partition-1", 2},
		"persistent://acme/shop/x/y/z":          {"persistent://acme/shop/x/y/z", "persistent://acme/shop/x/y/z", -1},
		"orders-partition":                      {d + "orders-partition", d + "orders-partition", -1},
		"ключ":                                  {d + "ключ", d + "ключ", -1},
		"":                                      {},
		"a/b":                                   {},
		"a/b/c/d/e":                             {},
		"orders-partition-":                     {},
		"orders-partition-x":                    {},
		"orders-partition-99999999999999999999": {},
		"persistent://":                         {},
		"persistent://a/b":                      {},
		"persistent://a/b/":                     {},
		"http://a/b/c":                          {},
		"non-persistent://a/b/c":                {},
	} {
		got, err := parseTopic(name)
		if (err != nil) != (want == topicName{}) {
			t.Errorf("parseTopic(%q): %v", name, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), fmt.Sprintf("parse topic name %q", name)) {
				t.Errorf("parseTopic(%q): %v does not say what it was doing", name, err)
			}
			continue
		}
		if got != want {
			t.Errorf("parseTopic(%q) = %+v, want %+v", name, got, want)
		}
	}
}

func TestClientErrorsAreTheClientsOwn(t *testing.T) {
	err := errConsumerClosed()
	var own *pulsar.Error
	if !errors.As(err, &own) || own.Result() != pulsar.ConsumerClosed {
		t.Fatalf("%T %v, want a *pulsar.Error: has the client renamed its fields?", err, err)
	}
	if got, want := err.Error(), "consumer closed: ConsumerClosed"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// The values are those of the reference implementation.
func TestMurmur3(t *testing.T) {
	for s, want := range map[string]uint32{
		"": 0, "hello": 0x248bfa47, "hello, world": 0x149bbb7f,
		"The quick brown fox jumps over the lazy dog.": 0xd5c48bfc,
	} {
		if got := murmur3Hash(s); got != want&0x7fffffff {
			t.Errorf("murmur3Hash(%q) = %#x, want %#x", s, got, want&0x7fffffff)
		}
	}
}

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
			left["pending"], left["counts"], left["replay"], left["delayed"] = len(d.pending), len(d.counts), len(d.replay), len(d.delayed)
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
