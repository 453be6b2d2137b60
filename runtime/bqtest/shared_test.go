package bqtest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

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
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c", "d")
	if n := broker.Unacked("orders", "sub"); n != 3 {
		t.Errorf("%d messages handed out, want 3: all queues are full", n)
	}
	if got := text(receive(t, small)); got != "a" { // makes room for d
		t.Errorf("received %q, want a", got)
	}
	if diff := cmp.Diff([]string{"b", "c"}, ready(t, large)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"d"}, ready(t, small)); diff != "" {
		t.Error(diff)
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
			if diff := cmp.Diff([]string{"b", "c"}, ready(t, subscribe(t, client, pulsar.ConsumerOptions{Type: typ}))); diff != "" {
				t.Error(diff)
			}
		})
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
	if n := broker.Unacked("orders", "sub"); n != 1000 {
		t.Errorf("%d prefetched, want 1000", n)
	}
	receive(t, c)
	if n := broker.Unacked("orders", "sub"); n != 1001 {
		t.Errorf("%d handed out after one was taken, want 1001", n)
	}
}

func TestFailoverHasOneActiveConsumerAndTheNextTakesOver(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	active := &listener{}
	opts := pulsar.ConsumerOptions{Type: pulsar.Failover, EventListener: active}
	consumers := map[string]pulsar.Consumer{}
	for _, name := range []string{"one", "two", "three", "four"} {
		opts.Name = name
		consumers[name] = subscribe(t, client, opts)
	}
	p := produce(t, client, pulsar.ProducerOptions{})
	sendTexts(t, p, "a", "b", "c", "d")
	want := []string{"a", "b", "c", "d"}
	for len(consumers) > 0 {
		name := active.now(t)
		for other, c := range consumers {
			if got := ready(t, c); other != name && got != nil {
				t.Errorf("%s received %q while %s was active", other, got, name)
			} else if diff := cmp.Diff(want, got); other == name && diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		consumers[name].Close()
		delete(consumers, name)
	}
}

type listener struct{ seen []string }

func (l *listener) BecameActive(c pulsar.Consumer, _ string, p int32) {
	l.seen = append(l.seen, "+"+c.Name())
}
func (l *listener) BecameInactive(c pulsar.Consumer, _ string, p int32) {
	l.seen = append(l.seen, "-"+c.Name())
}

// now is the consumer that became active and has not become inactive since.
// Closing one tells it nothing.
func (l *listener) now(t *testing.T) string {
	t.Helper()
	name := ""
	for _, e := range l.seen {
		switch {
		case e[0] == '+':
			name = e[1:]
		case e[1:] != name:
			t.Errorf("%s became inactive while %s was active", e[1:], name)
		}
	}
	return name
}

func TestFailoverSpreadsPartitionsOverConsumers(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 4); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	events := &listener{}
	b := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "b", EventListener: events})
	a := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "a", EventListener: events})
	low := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Failover, Name: "0", PriorityLevel: 1})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "0", "1", "2", "3")
	got := map[string][]string{"a": ready(t, a), "b": ready(t, b), "low": ready(t, low)}
	want := map[string][]string{"a": {"0", "2"}, "b": {"1", "3"}, "low": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"+b", "+b", "+b", "+b", "-b", "+a", "-b", "+a"}, events.seen); diff != "" {
		t.Error(diff)
	}
}

func keyed(t *testing.T, p pulsar.Producer, key string, payloads ...string) {
	t.Helper()
	for _, s := range payloads {
		send(t, p, pulsar.ProducerMessage{Key: key, Payload: []byte(s)})
	}
}

func TestKeySharedKeepsAKeyWithOneConsumerInOrder(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	var consumers []pulsar.Consumer
	for range 3 {
		consumers = append(consumers, subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared, ReceiverQueueSize: 5}))
	}
	p := produce(t, client, pulsar.ProducerOptions{})
	const keys, each = 30, 4
	for i := range each {
		for k := range keys {
			keyed(t, p, fmt.Sprint(k), fmt.Sprintf("%d.%d", k, i))
		}
	}
	seen := map[string][]string{}
	owner := map[string]string{}
	for n := 0; n < keys*each; {
		for _, c := range consumers {
			for _, s := range ready(t, c) {
				k := s[:slices.Index([]byte(s), '.')]
				seen[k] = append(seen[k], s)
				if o := owner[k]; o != "" && o != c.Name() {
					t.Errorf("key %s is with %s and %s", k, o, c.Name())
				}
				owner[k] = c.Name()
				n++
			}
		}
	}
	for k := range keys {
		var want []string
		for i := range each {
			want = append(want, fmt.Sprintf("%d.%d", k, i))
		}
		if diff := cmp.Diff(want, seen[fmt.Sprint(k)]); diff != "" {
			t.Errorf("key %d: %s", k, diff)
		}
	}
	names := map[string]bool{}
	for _, o := range owner {
		names[o] = true
	}
	if len(names) != 3 {
		t.Errorf("the keys are with %d consumers, want all 3", len(names))
	}
}

func TestKeySharedByOrderingKeyBeforeKey(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared})
	two := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared})
	p := produce(t, client, pulsar.ProducerOptions{})
	for i := range 20 {
		send(t, p, pulsar.ProducerMessage{Key: fmt.Sprint(i), OrderingKey: "same", Payload: []byte("x")})
	}
	if n, m := len(ready(t, one)), len(ready(t, two)); n != 0 && m != 0 {
		t.Errorf("one ordering key went to both consumers, %d and %d messages", n, m)
	}
}

func TestKeySharedSpreadsMessagesWithoutKey(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared})
	two := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared})
	p := produce(t, client, pulsar.ProducerOptions{})
	for range 60 {
		send(t, p, pulsar.ProducerMessage{})
	}
	if n, m := len(ready(t, one)), len(ready(t, two)); n < 10 || m < 10 {
		t.Errorf("%d and %d messages, want them spread", n, m)
	}
}

func TestKeySharedAKeyWithoutRoomStopsNoOther(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	opts := pulsar.ConsumerOptions{Type: pulsar.KeyShared, ReceiverQueueSize: 1, NackRedeliveryDelay: time.Second}
	one, two := subscribe(t, client, opts), subscribe(t, client, opts)
	p := produce(t, client, pulsar.ProducerOptions{})
	// Find a key of each consumer.
	keys := map[string]string{}
	for i := 0; len(keys) < 2; i++ {
		keyed(t, p, fmt.Sprint(i), fmt.Sprint(i))
		for _, c := range []pulsar.Consumer{one, two} {
			for ctx := (&countdown{Context: t.Context()}); ; {
				m, err := c.Receive(ctx)
				if err != nil {
					break
				}
				keys[c.Name()] = m.Key()
				ack(t, c, m)
			}
		}
	}
	keyed(t, p, keys[one.Name()], "1a", "1b", "1c") // one is stuck behind 1a
	keyed(t, p, keys[two.Name()], "2a")
	if diff := cmp.Diff([]string{"2a"}, ready(t, two)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"1a", "1b", "1c"}, ready(t, one)); diff != "" {
		t.Error(diff)
	}
}

func TestKeySharedRedeliversAKeyInOrderWhenItsConsumerGoes(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared})
	p := produce(t, client, pulsar.ProducerOptions{})
	keyed(t, p, "k", "a", "b", "c")
	receive(t, one)
	two := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared})
	keyed(t, p, "k", "d")
	one.Close()
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, ready(t, two)); diff != "" {
		t.Error(diff)
	}
}
