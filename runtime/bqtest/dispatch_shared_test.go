package bqtest_test

import (
	"fmt"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestSharedGoesRoundTheConsumers(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	two := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c", "d")
	if diff := cmp.Diff([]string{"a", "c"}, ready(t, one)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"b", "d"}, ready(t, two)); diff != "" {
		t.Error(diff)
	}
}

func TestSharedSkipsAConsumerWithoutRoom(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	small := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, ReceiverQueueSize: 1})
	large := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, ReceiverQueueSize: 2})
	p := produce(t, client, pulsar.ProducerOptions{})
	for i := range 26 {
		send(t, p, pulsar.ProducerMessage{Payload: fmt.Append(nil, i)})
	}
	if n := broker.Unacked("orders", "sub"); n != 1+10+2+10 {
		t.Errorf("%d messages handed out, want 23: all queues are full", n)
	}
	if got := text(receive(t, small)); got != "0" { // makes room for one more
		t.Errorf("received %q, want 0", got)
	}
	if n := broker.Unacked("orders", "sub"); n != 24 {
		t.Errorf("%d messages handed out, want 24", n)
	}
	if small, large := len(ready(t, small)), len(ready(t, large)); small+large != 25 {
		t.Errorf("%d and %d messages received, want 25 in all", small, large)
	}
}

func TestTheReceiverQueueHoldsAThousandByDefault(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	p := produce(t, client, pulsar.ProducerOptions{})
	for range 1200 {
		send(t, p, pulsar.ProducerMessage{})
	}
	if n := broker.Unacked("orders", "sub"); n != 1010 {
		t.Errorf("%d prefetched, want 1000 and ten on the way to the application", n)
	}
	receive(t, c)
	if n := broker.Unacked("orders", "sub"); n != 1011 {
		t.Errorf("%d handed out after one was taken, want 1011", n)
	}
}

func TestPrefetchedMessagesGoToTheNextConsumerOnClose(t *testing.T) {
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			client := broker.Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c")
			ack(t, c, receive(t, c))
			if n := broker.Unacked("orders", "sub"); n != 2 {
				t.Errorf("%d unacknowledged, want 2", n)
			}
			c.Close()
			if n := broker.Unacked("orders", "sub"); n != 0 && (typ == pulsar.Shared || typ == pulsar.KeyShared) {
				t.Errorf("%d unacknowledged after Close, want none", n)
			}
			next := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
			if diff := cmp.Diff([]string{"b", "c"}, ready(t, next)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
