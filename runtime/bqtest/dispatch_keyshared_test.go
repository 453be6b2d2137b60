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
		c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.KeyShared, ReceiverQueueSize: 5})
		consumers = append(consumers, c)
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
	p := produce(t, client, pulsar.ProducerOptions{DisableBatching: true})
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
