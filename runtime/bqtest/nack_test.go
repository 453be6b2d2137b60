package bqtest_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// policy is a NackBackoffPolicy that notes what it was asked.
type policy struct {
	asked []uint32
	delay func(uint32) time.Duration
}

func (p *policy) Next(n uint32) time.Duration {
	p.asked = append(p.asked, n)
	return p.delay(n)
}

func TestANackIsRedeliveredWhenItsDelayIsOver(t *testing.T) {
	for name, tc := range map[string]struct {
		opts  pulsar.ConsumerOptions
		delay time.Duration
	}{
		"by default after a minute": {pulsar.ConsumerOptions{}, time.Minute},
		"after NackRedeliveryDelay": {pulsar.ConsumerOptions{NackRedeliveryDelay: 3 * time.Second}, 3 * time.Second},
		"after the policy's delay": {
			pulsar.ConsumerOptions{
				NackRedeliveryDelay: time.Hour,
				NackBackoffPolicy:   &policy{delay: func(n uint32) time.Duration { return time.Duration(n+2) * time.Second }},
			}, 2 * time.Second,
		},
		"after the client's own policy's delay": {pulsar.ConsumerOptions{EnableDefaultNackBackoffPolicy: true}, time.Second},
	} {
		for typeName, typ := range types {
			t.Run(name+"/"+typeName, func(t *testing.T) {
				broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
				client := broker.Client()
				tc.opts.Type = typ
				c := subscribe(t, client, tc.opts)
				sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
				c.Nack(receive(t, c))
				broker.Advance(tc.delay - 1)
				if got := ready(t, c); got != nil {
					t.Errorf("%q delivered too early", got)
				}
				broker.Advance(1)
				want := []string{"a"}
				if typ == pulsar.Shared || typ == pulsar.KeyShared {
					want = []string{"a/1"}
				}
				if diff := cmp.Diff(want, ready(t, c)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestThePolicyIsAskedByRedeliveryCount(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	p := &policy{delay: func(uint32) time.Duration { return time.Second }}
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, NackBackoffPolicy: p})
	p.asked = nil // Subscribe asks as well
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	for range 3 {
		c.Nack(receive(t, c))
		broker.Advance(time.Second)
	}
	c.NackID(receive(t, c).ID()) // an id does not know its count
	if diff := cmp.Diff([]uint32{0, 1, 2, 1}, p.asked); diff != "" {
		t.Error(diff)
	}
}

func TestTheClientsOwnPolicyOverflows(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, EnableDefaultNackBackoffPolicy: true})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	for n := range 34 {
		c.Nack(receive(t, c))
		broker.Advance(min(time.Second<<n, 10*time.Minute))
	}
	m := receive(t, c)
	if m.RedeliveryCount() != 34 {
		t.Fatalf("redelivery count %d, want 34", m.RedeliveryCount())
	}
	c.Nack(m)
	if diff := cmp.Diff([]string{"a/35"}, ready(t, c)); diff != "" {
		t.Errorf("the 35th redelivery is immediate: %s", diff)
	}
}

func TestADelayOfNothingOrLessIsImmediate(t *testing.T) {
	for _, delay := range []time.Duration{0, -1, math.MinInt64} {
		broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
		client := broker.Client()
		c := subscribe(t, client, pulsar.ConsumerOptions{
			Type: pulsar.Shared,
			NackBackoffPolicy: &policy{delay: func(n uint32) time.Duration {
				if n == 1 {
					return time.Second // asked by Subscribe, which insists on a delay
				}
				return delay
			}},
		})
		sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
		c.Nack(receive(t, c))
		if diff := cmp.Diff([]string{"a/1"}, ready(t, c)); diff != "" {
			t.Errorf("delay %v: %s", delay, diff)
		}
	}
}

func TestADelayThatMakesTheRealClientPanicIsRefused(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	for _, opts := range []pulsar.ConsumerOptions{
		{NackRedeliveryDelay: 2},
		{NackRedeliveryDelay: -time.Second},
		{NackBackoffPolicy: &policy{delay: func(uint32) time.Duration { return 0 }}},
	} {
		opts.Topic, opts.SubscriptionName = "orders", "sub"
		if _, err := client.Subscribe(opts); err == nil {
			t.Errorf("Subscribe with %+v: no error", opts)
		}
	}
}

func TestClosingForgetsNacksAndReturnsTheMessagesAtOnce(t *testing.T) {
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			client := bqtest.NewBroker(t, bqtest.WithManualClock(start)).Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
			m := receive(t, c)
			c.Nack(m)
			c.Close()
			c.Nack(m) // lost in silence, like every nack on a closed consumer
			if diff := cmp.Diff([]string{"a"}, ready(t, subscribe(t, client, pulsar.ConsumerOptions{Type: typ}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOneRewindServesNacksOfTheSameTick(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{NackRedeliveryDelay: time.Second})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c")
	for i := range 3 {
		c.Nack(receive(t, c))
		broker.Advance([]time.Duration{100 * time.Millisecond, 400 * time.Millisecond, 0}[i])
	}
	broker.Advance(500 * time.Millisecond)
	if diff := cmp.Diff([]string{"a", "b", "c"}, ready(t, c)); diff != "" {
		t.Errorf("nacks within 256 ms: %s", diff)
	}
	broker.Advance(500 * time.Millisecond)
	if diff := cmp.Diff([]string{"a", "b", "c"}, ready(t, c)); diff != "" {
		t.Errorf("the one that came later: %s", diff)
	}
}

func TestOnlyTheActiveConsumerRewinds(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	opts := pulsar.ConsumerOptions{Type: pulsar.Failover, NackRedeliveryDelay: time.Second, PriorityLevel: 1}
	was := subscribe(t, client, opts)
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	was.Nack(receive(t, was))
	opts.PriorityLevel = 0
	is := subscribe(t, client, opts) // takes over
	if diff := cmp.Diff([]string{"a", "b"}, ready(t, is)); diff != "" {
		t.Error(diff)
	}
	broker.Advance(time.Hour)
	if got := append(ready(t, is), ready(t, was)...); len(got) != 1 || got[0] != "b" { // b was prefetched
		t.Errorf("%q, want no more than what was prefetched", got)
	}
}

func TestInterceptorsSeeNegativeAcksWhenTheyAreSent(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	log := &interceptor{}
	c := subscribe(t, client, pulsar.ConsumerOptions{
		Type: pulsar.Shared, NackRedeliveryDelay: time.Second, Interceptors: pulsar.ConsumerInterceptors{log},
	})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	ms := []pulsar.Message{receive(t, c), receive(t, c)}
	ack(t, c, ms[0])
	c.Nack(ms[1])
	broker.Advance(time.Second)
	c.Close()
	want := []string{"consume a", "consume b", "ack", "nack 1", "close"}
	if diff := cmp.Diff(want, log.events); diff != "" {
		t.Error(diff)
	}
}

type interceptor struct{ events []string }

func (i *interceptor) BeforeConsume(m pulsar.ConsumerMessage) {
	i.events = append(i.events, "consume "+string(m.Payload()))
}
func (i *interceptor) OnAcknowledge(pulsar.Consumer, pulsar.MessageID) {
	i.events = append(i.events, "ack")
}
func (i *interceptor) OnNegativeAcksSend(_ pulsar.Consumer, ids []pulsar.MessageID) {
	i.events = append(i.events, "nack "+string(rune('0'+len(ids))))
}
func (i *interceptor) OnConsumerClose(pulsar.Consumer, error) { i.events = append(i.events, "close") }

func TestRedeliveryCountsOfDisconnects(t *testing.T) {
	for name, tc := range map[string]struct {
		opts  []bqtest.Option
		other []string // what a remaining consumer sees
		last  []string // what one sees that comes after the last has gone
	}{
		"as in Pulsar 4.0": {nil, []string{"a", "b"}, []string{"a", "b"}},
		"counted": {
			[]bqtest.Option{bqtest.WithDisconnectsCounted()}, []string{"a/1", "b/1"}, []string{"a/2", "b/2"},
		},
	} {
		for _, typ := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.KeyShared} {
			t.Run(name, func(t *testing.T) {
				client := bqtest.NewBroker(t, tc.opts...).Client()
				one := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
				sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
				receive(t, one) // b is prefetched only
				two := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
				one.Close()
				if diff := cmp.Diff(tc.other, ready(t, two)); diff != "" {
					t.Error(diff)
				}
				two.Close()
				got := ready(t, subscribe(t, client, pulsar.ConsumerOptions{Type: typ}))
				slices.Sort(got)
				if diff := cmp.Diff(tc.last, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}
