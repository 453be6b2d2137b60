package bqtest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

var errBoom = errors.New("boom")

func TestASendThatFails(t *testing.T) {
	for name, tc := range map[string]struct {
		fault  *bqtest.Fault
		err    error
		stored int
	}{
		"before the broker has it":   {bqtest.OnSend().Err(errBoom), errBoom, 0},
		"although the broker has it": {bqtest.OnSend().Applied().Err(pulsar.ErrSendTimeout), pulsar.ErrSendTimeout, 1},
		"with no error given":        {bqtest.OnSend(), bqtest.ErrInjected, 0},
		"on its topic":               {bqtest.OnSend("persistent://public/default/orders").Err(errBoom), errBoom, 0},
		"on one of its topics":       {bqtest.OnSend("x", "orders").Err(errBoom), errBoom, 0},
		"on another topic":           {bqtest.OnSend("invoices").Err(errBoom), nil, 1},
		"at another operation":       {bqtest.OnAck().Err(errBoom), nil, 1},
		"when the message is the one": {
			bqtest.OnSend().When(func(c bqtest.Call) bool { return c.Message.Key == "k" }), bqtest.ErrInjected, 0,
		},
		"when the message is not": {
			bqtest.OnSend().When(func(c bqtest.Call) bool { return c.Message.Key == "x" }), nil, 1,
		},
		"when the producer is the one": {
			bqtest.OnSend().When(func(c bqtest.Call) bool { return c.Producer == "me" }), bqtest.ErrInjected, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			p := produce(t, broker.Client(), pulsar.ProducerOptions{Name: "me"})
			f := broker.Fail(tc.fault)
			_, err := p.Send(deadline(t), &pulsar.ProducerMessage{Key: "k"})
			if !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) {
				t.Errorf("Send: %v, want %v", err, tc.err)
			}
			if n := broker.SendCount("orders"); n != tc.stored {
				t.Errorf("%d stored, want %d", n, tc.stored)
			}
			if hit := f.Hits() == 1; hit != (tc.err != nil) {
				t.Errorf("%d hits", f.Hits())
			}
		})
	}
}

func TestAPartitionedTopicsNameStandsForItsPartitions(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	p := produce(t, broker.Client(), pulsar.ProducerOptions{})
	all := broker.Fail(bqtest.OnSend("orders").Times(2))
	for range 2 {
		if _, err := p.Send(deadline(t), &pulsar.ProducerMessage{}); err == nil {
			t.Error("Send: no error")
		}
	}
	one := broker.Fail(bqtest.OnSend("orders-partition-1"))
	for range 4 {
		_, _ = p.Send(deadline(t), &pulsar.ProducerMessage{})
	}
	if diff := cmp.Diff([]int{2, 2}, []int{all.Hits(), one.Hits()}); diff != "" {
		t.Error(diff)
	}
}

func TestTimesAndAfterCountOperations(t *testing.T) {
	broker := bqtest.NewBroker(t)
	p := produce(t, broker.Client(), pulsar.ProducerOptions{})
	errSecond := errors.New("second")
	broker.Fail(bqtest.OnSend().After(1).Times(2).Err(errBoom))
	second := broker.Fail(bqtest.OnSend().After(1).Err(errSecond)) // counts what the first lets pass
	var got []error
	for range 6 {
		_, err := p.Send(deadline(t), &pulsar.ProducerMessage{})
		got = append(got, err)
	}
	second.Clear()
	_, err := p.Send(deadline(t), &pulsar.ProducerMessage{})
	got = append(got, err)
	want := []error{nil, errBoom, errBoom, errSecond, errSecond, errSecond, nil}
	for i := range want {
		if !errors.Is(got[i], want[i]) {
			t.Fatalf("errors %v, want %v", got, want)
		}
	}
	if n := second.Hits(); n != 3 {
		t.Errorf("%d hits, want 3", n)
	}
}

func TestAnAckThatFails(t *testing.T) {
	for name, tc := range map[string]struct {
		fault    *bqtest.Fault
		response bool
		err      error
		acked    int
	}{
		"lost in silence":                   {bqtest.OnAck("orders").Err(errBoom), false, nil, 0},
		"with the response asked for":       {bqtest.OnAck("orders").Err(errBoom), true, errBoom, 0},
		"of which only the response fails":  {bqtest.OnAck("orders").Applied().Err(errBoom), true, errBoom, 1},
		"and nobody asked for the response": {bqtest.OnAck("orders").Applied().Err(errBoom), false, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			client := broker.Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{AckWithResponse: tc.response})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
			broker.Fail(tc.fault)
			if err := c.Ack(receive(t, c)); !errors.Is(err, tc.err) || (err == nil) != (tc.err == nil) {
				t.Errorf("Ack: %v, want %v", err, tc.err)
			}
			if n := broker.Acked("orders", "sub"); n != tc.acked {
				t.Errorf("%d acknowledged, want %d", n, tc.acked)
			}
			if n := tc.fault.Hits(); n != 1 {
				t.Errorf("%d hits, want 1", n)
			}
			c.Close()
			c = subscribe(t, client, pulsar.ConsumerOptions{})
			if n := len(ready(t, c)); n != 1-tc.acked {
				t.Errorf("%d redelivered, want %d", n, 1-tc.acked)
			}
		})
	}
}

func TestAnAckThatHangs(t *testing.T) {
	for _, closing := range []bool{false, true} {
		broker := bqtest.NewBroker(t)
		client := broker.Client()
		c := subscribe(t, client, pulsar.ConsumerOptions{AckWithResponse: true})
		sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
		f := broker.Fail(bqtest.OnAck().Hang())
		m := receive(t, c)
		result := make(chan error)
		go func() { result <- c.Ack(m) }()
		until(t, broker, func() bool { return f.Held() == 1 })
		if closing {
			c.Close()
			if err := <-result; err == nil {
				t.Error("Ack on a consumer that closes: no error")
			}
			continue
		}
		f.Release()
		if err := <-result; err != nil {
			t.Error(err)
		}
		if n := broker.Acked("orders", "sub"); n != 1 {
			t.Errorf("%d acknowledged, want 1", n)
		}
	}
}

func TestAReceiveThatFails(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	f := broker.Fail(bqtest.OnReceive("orders").Times(2).Err(errBoom))
	for range 2 {
		if _, err := c.Receive(deadline(t)); !errors.Is(err, errBoom) {
			t.Errorf("Receive: %v, want boom", err)
		}
	}
	if got := text(receive(t, c)); got != "a" || f.Hits() != 2 {
		t.Errorf("received %q after %d faults", got, f.Hits())
	}
}

func TestAReceiveThatHangs(t *testing.T) {
	for name, tc := range map[string]struct {
		end  func(c pulsar.Consumer, f *bqtest.Fault, cancel func())
		want error
	}{
		"goes on when released": {func(_ pulsar.Consumer, f *bqtest.Fault, _ func()) { f.Release() }, nil},
		"ends with its context": {
			func(_ pulsar.Consumer, _ *bqtest.Fault, cancel func()) { cancel() }, context.Canceled,
		},
		"ends when its consumer closes": {
			func(c pulsar.Consumer, _ *bqtest.Fault, _ func()) { c.Close() }, new(pulsar.Error),
		},
		"and then holds no more of them": {
			func(c pulsar.Consumer, _ *bqtest.Fault, _ func()) { c.Close() }, new(pulsar.Error),
		},
	} {
		t.Run(name, func(t *testing.T) {
			broker := bqtest.NewBroker(t)
			client := broker.Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{Topics: []string{"orders", "invoices"}})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
			f := broker.Fail(bqtest.OnReceive("invoices").Hang()) // one of its topics
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			result := make(chan error)
			go func() {
				_, err := c.Receive(ctx)
				result <- err
			}()
			until(t, broker, func() bool { return f.Held() == 1 })
			tc.end(c, f, cancel)
			err := <-result
			var typed *pulsar.Error
			if closed := errors.As(tc.want, &typed); closed {
				if !errors.As(err, &typed) || typed.Result() != pulsar.ConsumerClosed {
					t.Errorf("Receive: %v, want ConsumerClosed", err)
				}
			} else if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
				t.Errorf("Receive: %v, want %v", err, tc.want)
			}
			if n := f.Held(); n != 0 {
				t.Errorf("%d operations hang, want none", n)
			}
		})
	}
}

func TestSubscribingAndCreatingProducersThatFail(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	sub := broker.Fail(bqtest.OnSubscribe("orders").Times(2).Err(errBoom))
	made := broker.Fail(bqtest.OnCreateProducer("orders").Times(1).Err(errBoom))
	_, err := client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub"})
	if !errors.Is(err, errBoom) {
		t.Errorf("Subscribe: %v, want boom", err)
	}
	fromStart := pulsar.ReaderOptions{Topic: "orders", StartMessageID: pulsar.EarliestMessageID()}
	if _, err := client.CreateReader(fromStart); !errors.Is(err, errBoom) {
		t.Errorf("CreateReader: %v, want boom", err)
	}
	if _, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"}); !errors.Is(err, errBoom) {
		t.Errorf("CreateProducer: %v, want boom", err)
	}
	if diff := cmp.Diff([]int{2, 1}, []int{sub.Hits(), made.Hits()}); diff != "" {
		t.Error(diff)
	}
	if n := broker.Consumers("orders", "sub") + broker.Producers("orders"); n != 0 {
		t.Errorf("%d connected, want none", n)
	}
	subscribe(t, client, pulsar.ConsumerOptions{})
	produce(t, client, pulsar.ProducerOptions{})
}

func TestMakingConsumersAndProducersEndsWithTheClient(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	f, g := broker.Fail(bqtest.OnSubscribe().Hang()), broker.Fail(bqtest.OnCreateProducer().Hang())
	result := make(chan error, 2)
	go func() {
		_, err := client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub"})
		result <- err
	}()
	go func() {
		_, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
		result <- err
	}()
	until(t, broker, func() bool { return f.Held()+g.Held() == 2 })
	client.Close()
	for range 2 {
		if err := <-result; err == nil {
			t.Error("no error")
		}
	}
	f.Release()
	g.Release()
	if n := broker.Consumers("orders", "sub") + broker.Producers("orders"); n != 0 {
		t.Errorf("%d connected, want none", n)
	}
}

func TestAFaultOnABadTopicNamePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Fail did not panic")
		}
	}()
	bqtest.NewBroker(t).Fail(bqtest.OnSend("a/b"))
}
