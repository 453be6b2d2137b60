package bqtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestDelayedSendsRunSideBySide(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start), bqtest.WithRetention())
	p := produce(t, broker.Client(), pulsar.ProducerOptions{DisableBatching: true})
	slow := broker.Fail(bqtest.OnSend("orders").Delay(time.Second))
	results := make(chan string, 3)
	for i := range 3 {
		p.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: fmt.Append(nil, i)},
			func(_ pulsar.MessageID, m *pulsar.ProducerMessage, err error) {
				results <- fmt.Sprintf("%s %v", m.Payload, err)
			})
		broker.Advance(100 * time.Millisecond)
	}
	broker.Advance(600 * time.Millisecond)
	for stored := range 4 {
		if n := broker.SendCount("orders"); n != stored {
			t.Errorf("%d messages stored after %v, want %d", n, broker.Now().Sub(start), stored)
		}
		broker.Advance(100 * time.Millisecond)
	}
	for i := range 3 {
		if got, want := <-results, fmt.Sprintf("%d <nil>", i); got != want {
			t.Errorf("result %q, want %q", got, want)
		}
	}
	if n := slow.Hits(); n != 3 {
		t.Errorf("%d sends were slow, want 3", n)
	}
}

func TestDelayedAcknowledgementsOfAPartitionRunOneByOne(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, AckWithResponse: true})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c", "d")
	slow := broker.Fail(bqtest.OnAck("orders").Delay(time.Second))
	done := make(chan error, 4)
	for range 4 {
		m := receive(t, c)
		go func() { done <- c.Ack(m) }()
	}
	for _, want := range []int{0, 2, 4} { // one of each partition at a time
		until(t, broker, func() bool { return slow.Held() == min(2, 4-want) })
		if n := broker.Acked("orders", "sub"); n != want {
			t.Errorf("%d acknowledged, want %d", n, want)
		}
		if want < 4 {
			broker.Advance(time.Second)
		}
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestOnePartitionsAcknowledgementsHang(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, AckWithResponse: true})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	stuck := broker.Fail(bqtest.OnAck("orders-partition-0").Hang())
	ids := []pulsar.MessageID{receive(t, c).ID(), receive(t, c).ID()}
	done := make(chan error)
	go func() { done <- c.AckIDList(ids) }()
	until(t, broker, func() bool { return stuck.Held() == 1 && broker.Acked("orders", "sub") == 1 })
	broker.Advance(30 * time.Second) // the client's operation timeout
	failed, ok := (<-done).(pulsar.AckError)
	if !ok || len(failed) != 1 {
		t.Errorf("AckIDList: %v, want an error for partition 0 alone", failed)
	}
}

func TestAConfirmedAcknowledgementCanBeLost(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{AckWithResponse: true})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	broker.Fail(bqtest.OnAck("orders").Lost())
	if err := c.Ack(receive(t, c)); err != nil {
		t.Error(err)
	}
	broker.Unload("orders")
	if got := text(receive(t, c)); got != "a" {
		t.Errorf("received %q, want a", got)
	}
}

func TestAReceiveCanBeSlow(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	slow := broker.Fail(bqtest.OnReceive("orders").Delay(time.Second))
	got := make(chan string)
	go func() { got <- text(receive(t, c)) }()
	until(t, broker, func() bool { return slow.Held() == 1 })
	select {
	case s := <-got:
		t.Errorf("received %q at once", s)
	default:
	}
	broker.Advance(time.Second)
	if s := <-got; s != "a" {
		t.Errorf("received %q, want a", s)
	}
}
