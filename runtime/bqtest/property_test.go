package bqtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"pgregory.net/rapid"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// TestNothingIsLost lets consumers come, go, settle and be cut off at random, and topics be unloaded, and then checks
// what the broker promises on every type: a message is delivered until its entry is acknowledged, and an acknowledged
// one is not delivered to somebody new; on Key_Shared and on the ordered types the first deliveries of a key are in
// order.
func TestNothingIsLost(t *testing.T) {
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				broker := bqtest.New(bqtest.WithManualClock(start))
				defer broker.Close()
				w := &world{T: rt, broker: broker, client: broker.Client(), typ: typ, acked: map[string]bool{}}
				if rapid.Bool().Draw(rt, "partitioned") {
					if err := broker.CreatePartitioned("orders", 2); err != nil {
						rt.Fatal(err)
					}
				}
				w.must(w.open())
				p, err := w.client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
				w.must(err)
				w.producer = p
				rt.Repeat(map[string]func(*rapid.T){
					"send":    func(*rapid.T) { w.send() },
					"receive": func(rt *rapid.T) { w.receive(w.some(rt)) },
					"ack":     func(rt *rapid.T) { w.settle(rt, true) },
					"nack":    func(rt *rapid.T) { w.settle(rt, false) },
					"advance": func(rt *rapid.T) {
						broker.Advance(time.Duration(rapid.IntRange(1, 3000).Draw(rt, "ms")) * time.Millisecond)
					},
					"open": func(*rapid.T) {
						if typ != pulsar.Exclusive && len(w.consumers) < 4 {
							w.must(w.open())
						}
					},
					"close": func(rt *rapid.T) {
						if len(w.consumers) > 1 {
							c := w.some(rt)
							c.Close()
							w.forget(c)
						}
					},
					"send a batch": func(rt *rapid.T) { w.sendBatch(rapid.IntRange(2, 4).Draw(rt, "size")) },
					"drop":         func(rt *rapid.T) { broker.Drop("orders", "sub", w.some(rt).Name()) },
					"outage":       func(*rapid.T) { broker.Down(); broker.Up() },
					"unload":       func(*rapid.T) { broker.Unload("orders") },
				})
				w.drain()
			})
		})
	}
}

// world is a broker under random use.
type world struct {
	*rapid.T
	broker    *bqtest.Broker
	client    pulsar.Client
	typ       pulsar.SubscriptionType
	producer  pulsar.Producer
	consumers []pulsar.Consumer
	sent      []string
	held      []held // received and not settled
	acked     map[string]bool
	seen      []string // payloads in the order of their first delivery
}

type held struct {
	c pulsar.Consumer
	m pulsar.Message
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) open() error {
	c, err := w.client.Subscribe(pulsar.ConsumerOptions{
		Topic: "orders", SubscriptionName: "sub", Type: w.typ, ReceiverQueueSize: 1 + len(w.consumers)*2,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest, NackRedeliveryDelay: time.Second,
	})
	w.consumers = append(w.consumers, c)
	return err
}

func (w *world) some(rt *rapid.T) pulsar.Consumer {
	return w.consumers[rapid.IntRange(0, len(w.consumers)-1).Draw(rt, "consumer")]
}

func (w *world) forget(c pulsar.Consumer) {
	w.consumers = slices.DeleteFunc(w.consumers, func(o pulsar.Consumer) bool { return o == c })
	w.held = slices.DeleteFunc(w.held, func(h held) bool { return h.c == c })
}

func (w *world) send() {
	key := fmt.Sprint("k", len(w.sent)%3)
	text := fmt.Sprintf("%s.%04d", key, len(w.sent))
	_, err := w.producer.Send(w.Context(), &pulsar.ProducerMessage{Key: key, Payload: []byte(text)})
	w.must(err)
	w.sent = append(w.sent, text)
}

// sendBatch sends messages of one key as one entry.
func (w *world) sendBatch(size int) {
	key := fmt.Sprint("k", len(w.sent)%3)
	for range size {
		text := fmt.Sprintf("%s.%04d", key, len(w.sent))
		w.producer.SendAsync(w.Context(), &pulsar.ProducerMessage{Key: key, Payload: []byte(text)}, nil)
		w.sent = append(w.sent, text)
	}
	w.must(w.producer.FlushWithCtx(w.Context()))
}

// receive takes a message if there is one.
func (w *world) receive(c pulsar.Consumer) bool {
	m, err := c.Receive(&countdown{Context: w.Context()})
	if err != nil {
		return false
	}
	w.held = append(w.held, held{c, m})
	text := string(m.Payload())
	if !slices.Contains(w.seen, text) {
		w.seen = append(w.seen, text)
	}
	if n := m.RedeliveryCount(); n > 0 && (w.typ == pulsar.Exclusive || w.typ == pulsar.Failover) {
		w.Errorf("redelivery count %d on a type that has none", n)
	}
	return true
}

func (w *world) settle(rt *rapid.T, ack bool) {
	if len(w.held) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.held)-1).Draw(rt, "held")
	h := w.held[i]
	w.held = slices.Delete(w.held, i, i+1)
	if !ack {
		h.c.Nack(h.m)
		return
	}
	w.must(h.c.Ack(h.m))
	w.acked[string(h.m.Payload())] = true
}

// drain closes all consumers and has a last one take what is left.
func (w *world) drain() {
	for _, c := range slices.Clone(w.consumers) {
		c.Close()
		w.forget(c)
	}
	w.must(w.open())
	last := w.consumers[0]
	before := len(w.acked)
	for w.receive(last) {
		h := w.held[len(w.held)-1]
		text := string(h.m.Payload())
		if w.acked[text] && h.m.ID().BatchSize() == 1 { // of a batch, another member may not have been
			w.Errorf("%s was delivered to somebody new after it had been acknowledged", text)
		}
		w.must(last.Ack(h.m))
		w.acked[text] = true
	}
	if len(w.acked) != len(w.sent) {
		w.Errorf("%d of %d messages acknowledged, %d of them before the end", len(w.acked), len(w.sent), before)
	}
	if n := w.broker.Backlog("orders", "sub"); n != 0 {
		w.Errorf("backlog %d, want none", n)
	}
	if v := w.broker.Violations(); len(v) > 0 {
		w.Errorf("violations: %q", v)
	}
	if w.typ != pulsar.Shared {
		perKey := map[string][]string{}
		for _, s := range w.seen {
			k, _, _ := strings.Cut(s, ".")
			perKey[k] = append(perKey[k], s)
		}
		for k, texts := range perKey {
			if !slices.IsSorted(texts) {
				w.Errorf("first deliveries of %s out of order: %q", k, texts)
			}
		}
	}
}
