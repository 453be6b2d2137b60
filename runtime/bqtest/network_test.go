package bqtest_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestWhileTheBrokerIsGone(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	asking := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "asking", AckWithResponse: true})
	p := produce(t, client, pulsar.ProducerOptions{DisableBatching: true})
	sendTexts(t, p, "a", "b", "c")
	a, m := receive(t, c), receive(t, asking)
	broker.Down()
	broker.Down() // once is enough

	if n := broker.Consumers("orders", "sub"); n != 0 {
		t.Errorf("%d consumers connected", n)
	}
	if diff := cmp.Diff([]string{"b", "c"}, ready(t, c)); diff != "" {
		t.Errorf("what the client had handed on: %s", diff)
	}
	if err := c.Ack(a); err != nil {
		t.Errorf("Ack without response: %v", err)
	}
	asked := make(chan error, 1)
	go func() { asked <- asking.Ack(m) }()
	if _, err := client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "x"}); err == nil {
		t.Error("Subscribe: no error")
	}
	if _, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"}); err == nil {
		t.Error("CreateProducer: no error")
	}
	if _, err := client.TopicPartitions("orders"); err == nil {
		t.Error("TopicPartitions: no error")
	}
	if err := c.SeekByTime(start); err == nil {
		t.Error("Seek: no error")
	}
	if err := c.Unsubscribe(); err == nil {
		t.Error("Unsubscribe: no error")
	}
	early, late := make(chan error, 1), make(chan error, 1)
	p.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: []byte("early")},
		func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { early <- err })
	broker.Advance(20 * time.Second)
	p.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: []byte("late")},
		func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { late <- err })
	broker.Advance(10 * time.Second)
	if err := <-early; !errors.Is(err, pulsar.ErrSendTimeout) {
		t.Errorf("a send: %v, want ErrSendTimeout", err)
	}

	broker.Up()
	broker.Up()
	if err := <-late; err != nil {
		t.Errorf("a send that the broker's return met in time: %v", err)
	}
	if diff := cmp.Diff([]string{"b", "c", "late"}, ready(t, c)); diff != "" {
		t.Errorf("after an acknowledgement that waited: %s", diff)
	}
	if err := <-asked; err != nil {
		t.Errorf("Ack with response: %v", err)
	}
}

func TestAcknowledgementsAndReadersSurviveTheBroker(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	r, err := client.CreateReader(pulsar.ReaderOptions{Topic: "orders", StartMessageID: pulsar.EarliestMessageID()})
	if err != nil {
		t.Fatal(err)
	}
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	ack(t, c, receive(t, c))
	if _, err := r.Next(deadline(t)); err != nil {
		t.Fatal(err)
	}
	broker.Down()
	if r.HasNext() {
		t.Error("HasNext without a broker")
	}
	broker.Up()
	// The client had handed b on to the application before.
	if diff := cmp.Diff([]string{"b", "b"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
	m, err := r.Next(deadline(t))
	if err != nil || text(m) != "b" {
		t.Errorf("Next: %v, %v, want b", m, err)
	}
}

func TestAConsumerThatClosesWhileTheBrokerIsGoneStaysAway(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionMode: pulsar.NonDurable})
	broker.Down()
	c.Close()
	broker.Up()
	if got := broker.Subscriptions("orders"); len(got) > 0 {
		t.Errorf("subscriptions %q, want none", got)
	}
}

func TestADroppedConnectionReturnsWhatItHadToTheOthersFirst(t *testing.T) {
	for name, tc := range map[string]struct {
		opts []bqtest.Option
		want []string
	}{
		"as in Pulsar 4.0":    {nil, []string{"a", "b"}},
		"disconnects counted": {[]bqtest.Option{bqtest.WithDisconnectsCounted()}, []string{"a/1", "b/1"}},
	} {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t, tc.opts...)
			client := broker.Client()
			one := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, Name: "one"})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
			a := receive(t, one)
			two := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, Name: "two"})
			if n := broker.Drop("orders", "sub", "one"); n != 1 {
				t.Errorf("%d connections dropped, want 1", n)
			}
			if diff := cmp.Diff([]string{"b"}, ready(t, one)); diff != "" {
				t.Errorf("what the client had handed on, and nothing more: %s", diff)
			}
			if diff := cmp.Diff(tc.want, ready(t, two)); diff != "" {
				t.Error(diff)
			}
			ack(t, one, a) // its old delivery can still be acknowledged
			if n := broker.Backlog("orders", "sub"); n != 1 {
				t.Errorf("backlog %d, want 1", n)
			}
		})
	}
}

func TestDroppingAllConnectionsRedeliversToAll(t *testing.T) {
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			client := broker.Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
			receive(t, c)
			if n := broker.Drop("orders", "sub"); n != 1 {
				t.Errorf("%d connections dropped, want 1", n)
			}
			got := ready(t, c)
			slices.Sort(got)
			if diff := cmp.Diff([]string{"a", "b", "b"}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAWaitingReceiveSurvivesTheBroker(t *testing.T) {
	for _, zero := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			client := broker.Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, EnableZeroQueueConsumer: zero})
			got := make(chan string, 1)
			go func() {
				m, err := c.Receive(t.Context())
				if err != nil {
					got <- err.Error()
					return
				}
				got <- text(m)
			}()
			for _, step := range []func(){func() { broker.Drop("orders", "sub") }, broker.Down, broker.Up} {
				synctest.Wait() // Receive has seen what came before, and waits
				step()
			}
			synctest.Wait()
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
			if s := <-got; s != "a" {
				t.Errorf("received %q, want a", s)
			}
		})
	}
}

func TestWhatWaitsToEnterTheChannelIsTakenBackToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broker := bqtest.NewBroker(t, bqtest.WithDisconnectsCounted())
		client := broker.Client()
		ch := make(chan pulsar.ConsumerMessage)
		subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, MessageChannel: ch})
		sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
		synctest.Wait()
		broker.Down()
		synctest.Wait()
		select {
		case m := <-ch:
			t.Errorf("received %q without a broker", text(m.Message))
		default:
		}
		broker.Up()
		synctest.Wait()
		if m := <-ch; text(m.Message) != "a/1" {
			t.Errorf("received %q, want a/1", text(m.Message))
		}
	})
}

func TestANonDurableSubscriptionOutlivesOneOfItsConsumersWhileTheBrokerIsGone(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	opts := pulsar.ConsumerOptions{Type: pulsar.Shared, SubscriptionMode: pulsar.NonDurable}
	one, two := subscribe(t, client, opts), subscribe(t, client, opts)
	broker.Down()
	one.Close()
	broker.Up()
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	if diff := cmp.Diff([]string{"a"}, ready(t, two)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatWasStoredAndNotAnsweredIsStoredTwice(t *testing.T) {
	for name, lose := range map[string]func(*bqtest.Broker){
		"unload": func(b *bqtest.Broker) { b.Unload("orders") },
		"outage": func(b *bqtest.Broker) { b.Down(); b.Up() },
	} {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			f := broker.Fail(bqtest.OnSend("orders").Times(1).Applied().Hang())
			p := produce(t, broker.Client(), pulsar.ProducerOptions{DisableBatching: true})
			sent := make(chan error, 1)
			p.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: []byte("a")},
				func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { sent <- err })
			if n := f.Held(); n != 1 {
				t.Fatalf("%d sends hang, want 1", n)
			}
			lose(broker)
			if err := <-sent; err != nil {
				t.Error(err)
			}
			if n := broker.SendCount("orders"); n != 2 {
				t.Errorf("stored %d times, want 2", n)
			}
		})
	}
}
