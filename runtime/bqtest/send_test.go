package bqtest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestWhatTheCallerChangesAfterwardsChangesNothing(t *testing.T) {
	client := bqtest.NewBroker(t, bqtest.WithManualClock(start)).Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "one"})
	two := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "two"})
	m := pulsar.ProducerMessage{Payload: []byte("abc"), Properties: map[string]string{"k": "v"}}
	send(t, produce(t, client, pulsar.ProducerOptions{}), m)
	m.Payload[0] = 'X' // the sender's
	m.Properties["k"] = "X"
	first := receive(t, one)
	check := func(m pulsar.Message) {
		t.Helper()
		if string(m.Payload()) != "abc" || m.Properties()["k"] != "v" {
			t.Errorf("payload %q, properties %v", m.Payload(), m.Properties())
		}
	}
	check(first)
	first.Payload()[0] = 'Y' // a receiver's
	first.Properties()["k"] = "Y"
	if first.Properties()["k"] != "Y" {
		t.Error("a message's properties are not its own live map, as they are in the real client")
	}
	check(receive(t, two))
	one.Close()
	check(receive(t, subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "one"})))
}

func TestSequenceIDs(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	p := produce(t, broker.Client(), pulsar.ProducerOptions{})
	for _, id := range []*int64{nil, nil, new(int64(10)), nil} {
		send(t, p, pulsar.ProducerMessage{SequenceID: id})
	}
	var got []int64
	for _, r := range broker.Messages("orders") {
		got = append(got, r.SequenceID)
	}
	if diff := cmp.Diff([]int64{0, 1, 10, 2}, got); diff != "" {
		t.Error(diff)
	}
	if n := p.LastSequenceID(); n != 2 {
		t.Errorf("LastSequenceID = %d, want 2", n)
	}
}

func TestTheSizeLimit(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithMaxMessageSize(100))
	client := broker.Client()
	p := produce(t, client, pulsar.ProducerOptions{})
	for name, tc := range map[string]struct {
		size     int
		prop     int
		fails    bool
		tooLarge bool // in the client's own words
	}{
		"within":                          {50, 1, false, false},
		"the payload is over":             {101, 1, true, true},
		"the payload is over with itself": {100, 1, true, false},
		"the properties are over":         {10, 90, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.Send(deadline(t), &pulsar.ProducerMessage{
				Payload: make([]byte, tc.size), Properties: map[string]string{"p": string(make([]byte, tc.prop))},
			})
			if (err != nil) != tc.fails || errors.Is(err, pulsar.ErrMessageTooLarge) != tc.tooLarge {
				t.Errorf("Send: %v", err)
			}
		})
	}
	chunking := produce(t, client, pulsar.ProducerOptions{EnableChunking: true, DisableBatching: true})
	send(t, chunking, pulsar.ProducerMessage{Payload: make([]byte, 1000)}) // arrives whole
}

func TestProducerNamesAreTakenPerTopic(t *testing.T) {
	broker := bqtest.NewBroker(t)
	one, two := broker.Client(), broker.Client()
	p := produce(t, one, pulsar.ProducerOptions{Name: "me"})
	if _, err := two.CreateProducer(pulsar.ProducerOptions{Topic: "orders", Name: "me"}); err == nil {
		t.Error("the same name on the same topic: no error")
	}
	produce(t, two, pulsar.ProducerOptions{Topic: "invoices", Name: "me"})
	if n := broker.Producers("orders"); n != 1 {
		t.Errorf("%d producers, want 1", n)
	}
	p.Close()
	p.Close()
	if n := broker.Producers("orders"); n != 0 {
		t.Errorf("%d producers after Close, want none", n)
	}
	produce(t, two, pulsar.ProducerOptions{Name: "me"})
}

func TestCallbacksRunOneAfterTheOtherInTheOrderOfSending(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	p := produce(t, client, pulsar.ProducerOptions{})
	results := make(chan string, 20)
	for i := range 10 {
		p.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: fmt.Append(nil, i)},
			func(_ pulsar.MessageID, m *pulsar.ProducerMessage, err error) {
				results <- fmt.Sprintf("%s %v", m.Payload, err)
			})
	}
	if err := p.FlushWithCtx(deadline(t)); err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for i := range 10 {
		got = append(got, <-results)
		want = append(want, fmt.Sprintf("%d <nil>", i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	p.SendAsync(t.Context(), &pulsar.ProducerMessage{}, nil) // a callback is not needed
}

func TestACallbackThatSendsWaitsForItself(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	p := produce(t, client, pulsar.ProducerOptions{SendTimeout: time.Second, DisableBatching: true})
	result := make(chan error)
	p.SendAsync(t.Context(), &pulsar.ProducerMessage{}, func(pulsar.MessageID, *pulsar.ProducerMessage, error) {
		_, err := p.Send(context.Background(), &pulsar.ProducerMessage{})
		result <- err
	})
	until(t, broker, func() bool { return broker.SendCount("orders") == 2 })
	broker.Advance(time.Second)
	if err := <-result; !errors.Is(err, pulsar.ErrSendTimeout) {
		t.Errorf("Send in a callback: %v, want ErrSendTimeout", err)
	}
}

func TestWhileASendHangs(t *testing.T) {
	// setup makes a producer whose first message hangs, and sends two.
	setup := func(t *testing.T, opts pulsar.ProducerOptions) (
		*bqtest.Broker, *bqtest.Fault, pulsar.Producer, chan string,
	) {
		broker := bqtest.NewBroker(t, bqtest.WithManualClock(start), bqtest.WithRetention())
		f := broker.Fail(bqtest.OnSend().Times(1).Hang())
		opts.DisableBatching = true
		p := produce(t, broker.Client(), opts)
		results := make(chan string, 2)
		for _, s := range []string{"a", "b"} {
			p.SendAsync(t.Context(), &pulsar.ProducerMessage{Payload: []byte(s)},
				func(_ pulsar.MessageID, m *pulsar.ProducerMessage, err error) {
					results <- fmt.Sprintf("%s %v", m.Payload, err)
				})
		}
		if n := f.Held(); n != 1 {
			t.Fatalf("%d operations hang, want 1", n)
		}
		return broker, f, p, results
	}
	two := func(results chan string) []string { return []string{<-results, <-results} }
	stored := func(broker *bqtest.Broker) []string {
		var texts []string
		for _, r := range broker.Messages("orders") {
			texts = append(texts, string(r.Payload))
		}
		return texts
	}
	t.Run("those behind it wait, and keep their order", func(t *testing.T) {
		broker, f, _, results := setup(t, pulsar.ProducerOptions{})
		if got := stored(broker); got != nil {
			t.Errorf("stored %q, want nothing yet", got)
		}
		f.Release()
		if diff := cmp.Diff([]string{"a <nil>", "b <nil>"}, two(results)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"a", "b"}, stored(broker)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the send timeout ends it, and it is not stored", func(t *testing.T) {
		broker, f, _, results := setup(t, pulsar.ProducerOptions{SendTimeout: time.Second})
		broker.Advance(time.Second)
		if diff := cmp.Diff([]string{"a message send timeout: TimeoutError", "b <nil>"}, two(results)); diff != "" {
			t.Error(diff)
		}
		f.Release()
		if diff := cmp.Diff([]string{"b"}, stored(broker)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the send timeout is 30 s by default", func(t *testing.T) {
		broker, _, _, results := setup(t, pulsar.ProducerOptions{})
		broker.Advance(30*time.Second - 1)
		if n := len(results); n != 0 {
			t.Errorf("%d results before the timeout", n)
		}
		broker.Advance(1)
		two(results)
	})
	t.Run("a negative send timeout is none", func(t *testing.T) {
		broker, f, _, results := setup(t, pulsar.ProducerOptions{SendTimeout: -1})
		broker.Advance(24 * time.Hour)
		if n := len(results); n != 0 {
			t.Errorf("%d results, want none", n)
		}
		f.Release()
		two(results)
	})
	t.Run("Close fails what is pending", func(t *testing.T) {
		broker, f, p, results := setup(t, pulsar.ProducerOptions{})
		p.Close()
		got := two(results)
		slices.Sort(got)
		if diff := cmp.Diff([]string{
			"a producer already been closed: ProducerClosed", "b producer already been closed: ProducerClosed",
		}, got); diff != "" {
			t.Error(diff)
		}
		f.Release()
		if got := stored(broker); got != nil {
			t.Errorf("stored %q after Close", got)
		}
	})
	t.Run("Flush waits for all of it", func(t *testing.T) {
		_, f, p, results := setup(t, pulsar.ProducerOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.FlushWithCtx(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("FlushWithCtx: %v, want it to wait", err)
		}
		f.Release()
		if err := p.FlushWithCtx(deadline(t)); err != nil {
			t.Error(err)
		}
		two(results)
	})
	t.Run("a full queue blocks or refuses", func(t *testing.T) {
		_, f, p, results := setup(t, pulsar.ProducerOptions{MaxPendingMessages: 2})
		ctx, cancel := context.WithCancel(t.Context())
		blocked := make(chan error, 1)
		go func() {
			_, err := p.Send(ctx, &pulsar.ProducerMessage{})
			blocked <- err
		}()
		cancel()
		if err := <-blocked; err == nil {
			t.Error("Send into a full queue: no error")
		}
		f.Release()
		two(results)

		_, f, p, results = setup(t, pulsar.ProducerOptions{MaxPendingMessages: 2, DisableBlockIfQueueFull: true})
		if _, err := p.Send(t.Context(), &pulsar.ProducerMessage{}); !errors.Is(err, pulsar.ErrSendQueueIsFull) {
			t.Errorf("Send into a full queue: %v, want ErrSendQueueIsFull", err)
		}
		f.Release()
		two(results)
	})
	t.Run("a Send whose context ends may still be stored", func(t *testing.T) {
		broker := bqtest.NewBroker(t, bqtest.WithRetention())
		f := broker.Fail(bqtest.OnSend().Hang())
		p := produce(t, broker.Client(), pulsar.ProducerOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error)
		go func() {
			_, err := p.Send(ctx, &pulsar.ProducerMessage{Payload: []byte("a")})
			result <- err
		}()
		until(t, broker, func() bool { return f.Held() == 1 })
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("Send: %v", err)
		}
		f.Release()
		if diff := cmp.Diff([]string{"a"}, stored(broker)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSchemasEncodeAndDecode(t *testing.T) {
	type order struct {
		ID int
	}
	schema := pulsar.NewJSONSchema(`{"type":"record","name":"o","fields":[{"name":"ID","type":"int"}]}`, nil)
	client := bqtest.NewBroker(t).Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Schema: schema})
	send(t, produce(t, client, pulsar.ProducerOptions{Schema: schema}), pulsar.ProducerMessage{Value: order{7}})
	send(t, produce(t, client, pulsar.ProducerOptions{}), pulsar.ProducerMessage{Value: order{8}, Schema: schema})
	for _, want := range []int{7, 8} {
		var got order
		if err := receive(t, c).GetSchemaValue(&got); err != nil || got.ID != want {
			t.Errorf("GetSchemaValue: %+v, %v, want ID %d", got, err, want)
		}
	}
}

type sendLog struct{ events []string }

func (l *sendLog) BeforeSend(_ pulsar.Producer, m *pulsar.ProducerMessage) {
	m.Properties = map[string]string{"by": "interceptor"}
	l.events = append(l.events, "before")
}
func (l *sendLog) OnSendAcknowledgement(_ pulsar.Producer, _ *pulsar.ProducerMessage, id pulsar.MessageID) {
	l.events = append(l.events, fmt.Sprint("acknowledged ", id != nil))
}

func TestProducerInterceptors(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	log := &sendLog{}
	p := produce(t, broker.Client(), pulsar.ProducerOptions{Interceptors: pulsar.ProducerInterceptors{log}})
	send(t, p, pulsar.ProducerMessage{})
	if diff := cmp.Diff([]string{"before", "acknowledged true"}, log.events); diff != "" {
		t.Error(diff)
	}
	if got := broker.Messages("orders")[0].Properties["by"]; got != "interceptor" {
		t.Error("what BeforeSend changed was not sent")
	}
}
