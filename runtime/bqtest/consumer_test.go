package bqtest_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestReceiveWaits(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	type result struct {
		text string
		err  error
	}
	results := make(chan result, 2)
	wait := func(ctx context.Context) {
		go func() {
			m, err := c.Receive(ctx)
			if err != nil {
				results <- result{err: err}
				return
			}
			results <- result{text: text(m)}
		}()
	}
	wait(t.Context())
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	if r := <-results; r.text != "a" {
		t.Errorf("received %+v, want a", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	wait(ctx)
	cancel()
	if r := <-results; !errors.Is(r.err, context.Canceled) {
		t.Errorf("received %+v, want context.Canceled", r)
	}
	wait(t.Context())
	wait(t.Context())
	c.Close()
	for range 2 {
		var closed *pulsar.Error
		if r := <-results; !errors.As(r.err, &closed) || closed.Result() != pulsar.ConsumerClosed {
			t.Errorf("received %+v, want ConsumerClosed", r)
		}
	}
}

func TestReceiveOnAContextThatIsOver(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Receive(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Receive: %v, want context.Canceled", err)
	}
	if diff := cmp.Diff([]string{"a"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
}

func TestChan(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	p := produce(t, client, pulsar.ProducerOptions{})
	sendTexts(t, p, "a")
	ch := c.Chan()
	sendTexts(t, p, "b", "c")
	for _, want := range []string{"a", "b"} {
		m := <-ch
		if text(m.Message) != want {
			t.Errorf("received %q, want %q", text(m.Message), want)
		}
		if err := m.Ack(m.Message); err != nil { // a ConsumerMessage is a Consumer too
			t.Error(err)
		}
	}
	if got := text(receive(t, c)); got != "c" {
		t.Errorf("Receive after Chan: %q, want c", got)
	}
	if n := broker.Acked("orders", "sub"); n != 2 {
		t.Errorf("%d acknowledged, want 2", n)
	}
	c.Close()
	select {
	case m, open := <-ch:
		t.Errorf("after Close the channel gave %v, %t", m, open)
	default:
	}
}

func TestAReceiveThatWaitsSeesWhatGoesToTheChannelNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := bqtest.NewBroker(t).Client()
		c := subscribe(t, client, pulsar.ConsumerOptions{})
		got := make(chan string)
		go func() {
			m, err := c.Receive(t.Context())
			if err != nil {
				got <- err.Error()
				return
			}
			got <- text(m)
		}()
		synctest.Wait()
		c.Chan()
		synctest.Wait()
		sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
		if s := <-got; s != "a" {
			t.Errorf("received %q, want a", s)
		}
	})
}

func TestAChannelOfOnesOwn(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	ch := make(chan pulsar.ConsumerMessage)
	one := subscribe(t, client, pulsar.ConsumerOptions{MessageChannel: ch, SubscriptionName: "one"})
	two := subscribe(t, client, pulsar.ConsumerOptions{MessageChannel: ch, SubscriptionName: "two"})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	got := map[string]bool{}
	for range 2 {
		m := <-ch
		got[m.Subscription()] = true
		ack(t, m.Consumer, m.Message)
	}
	if diff := cmp.Diff(map[string]bool{"one": true, "two": true}, got); diff != "" {
		t.Error(diff)
	}
	one.Close()
	two.Close()
}

func TestSeekEmptiesTheChannel(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{StartMessageIDInclusive: true})
	p := produce(t, client, pulsar.ProducerOptions{})
	first := send(t, p, pulsar.ProducerMessage{Payload: []byte("a")})
	sendTexts(t, p, "b", "c")
	ch := c.Chan()
	ack(t, c, (<-ch).Message, (<-ch).Message, (<-ch).Message)
	if err := c.Seek(first); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a", "b", "c"} {
		if m := <-ch; text(m.Message) != want {
			t.Errorf("received %q, want %q", text(m.Message), want)
		}
	}
}

func TestAConsumerWithoutAQueueTakesOneAtATime(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, EnableZeroQueueConsumer: true})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	if n := broker.Unacked("orders", "sub"); n != 0 {
		t.Errorf("%d prefetched, want none", n)
	}
	receive(t, c)
	if n := broker.Unacked("orders", "sub"); n != 1 {
		t.Errorf("%d handed out, want 1", n)
	}
	if diff := cmp.Diff([]string{"b"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
	defer func() {
		if recover() == nil {
			t.Error("Chan did not panic")
		}
	}()
	c.Chan()
}

func TestAClientClosesWhatItMade(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	p := produce(t, client, pulsar.ProducerOptions{})
	r, err := client.CreateReader(pulsar.ReaderOptions{Topic: "orders", StartMessageID: pulsar.LatestMessageID()})
	if err != nil {
		t.Fatal(err)
	}
	client.Close()
	client.Close()
	if _, err := c.Receive(t.Context()); err == nil {
		t.Error("Receive: no error")
	}
	if _, err := p.Send(t.Context(), &pulsar.ProducerMessage{}); !errors.Is(err, pulsar.ErrProducerClosed) {
		t.Errorf("Send: %v, want ErrProducerClosed", err)
	}
	if _, err := r.Next(t.Context()); err == nil {
		t.Error("Next: no error")
	}
	if _, err := client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub"}); err == nil {
		t.Error("Subscribe: no error")
	}
	if _, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"}); err == nil {
		t.Error("CreateProducer: no error")
	}
	broker.Close()
	if _, err := broker.Client().TopicPartitions("orders"); err == nil {
		t.Error("TopicPartitions on a broker that is closed: no error")
	}
}

func TestWhatIsNotSupportedSaysSo(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	sub := func(o pulsar.ConsumerOptions) func() error {
		return func() error {
			o.Topic, o.SubscriptionName = "orders", "sub"
			_, err := client.Subscribe(o)
			return err
		}
	}
	sticky := &pulsar.KeySharedPolicy{Mode: pulsar.KeySharedPolicyModeSticky}
	prod := func(o pulsar.ProducerOptions) func() error {
		return func() error {
			o.Topic = "orders"
			_, err := client.CreateProducer(o)
			return err
		}
	}
	for name, call := range map[string]func() error{
		"retry topics":        sub(pulsar.ConsumerOptions{RetryEnable: true}),
		"compaction":          sub(pulsar.ConsumerOptions{ReadCompacted: true}),
		"sticky key ranges":   sub(pulsar.ConsumerOptions{KeySharedPolicy: sticky}),
		"exclusive producers": prod(pulsar.ProducerOptions{ProducerAccessMode: pulsar.ProducerAccessModeExclusive}),
		"transactions":        func() error { _, err := client.NewTransaction(1); return err },
		"table views":         func() error { _, err := client.CreateTableView(pulsar.TableViewOptions{}); return err },
		"acknowledging in a transaction": func() error {
			return subscribe(t, client, pulsar.ConsumerOptions{}).AckWithTxn(nil, nil)
		},
	} {
		if err := call(); !errors.Is(err, bqtest.ErrNotSupported) {
			t.Errorf("%s: %v, want ErrNotSupported", name, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("ReconsumeLater did not panic")
		}
	}()
	subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "other"}).ReconsumeLater(nil, 0)
}
