package bqtest_test

import (
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

var types = map[string]pulsar.SubscriptionType{
	"Exclusive": pulsar.Exclusive, "Failover": pulsar.Failover, "Shared": pulsar.Shared, "Key_Shared": pulsar.KeyShared,
}

func TestMessagesArriveInOrderOnEveryType(t *testing.T) {
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			client := bqtest.NewBroker(t).Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c")
			if diff := cmp.Diff([]string{"a", "b", "c"}, receiveTexts(t, c, 3)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInitialPosition(t *testing.T) {
	for name, tc := range map[string]struct {
		position pulsar.SubscriptionInitialPosition
		want     []string
	}{
		"latest starts after what is there":  {pulsar.SubscriptionPositionLatest, []string{"c"}},
		"earliest starts with what is there": {pulsar.SubscriptionPositionEarliest, []string{"a", "b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := bqtest.NewBroker(t, bqtest.WithRetention()).Client()
			p := produce(t, client, pulsar.ProducerOptions{})
			sendTexts(t, p, "a", "b")
			c := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionInitialPosition: tc.position})
			sendTexts(t, p, "c")
			if diff := cmp.Diff(tc.want, ready(t, c)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInitialPositionIsIgnoredOnASubscriptionThatExists(t *testing.T) {
	client := bqtest.NewBroker(t, bqtest.WithRetention()).Client()
	p := produce(t, client, pulsar.ProducerOptions{})
	sendTexts(t, p, "a")
	subscribe(t, client, pulsar.ConsumerOptions{}).Close()
	c := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest})
	sendTexts(t, p, "b")
	if diff := cmp.Diff([]string{"b"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
}

func TestMessagesOnATopicWithoutSubscriptionAreLost(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	c := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest})
	if got := ready(t, c); got != nil {
		t.Errorf("received %q, want nothing", got)
	}
	if n := broker.SendCount("orders"); n != 1 {
		t.Errorf("SendCount = %d, want 1", n)
	}
}

func TestADurableSubscriptionKeepsWhatIsNotAcknowledged(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	p := produce(t, client, pulsar.ProducerOptions{})
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	sendTexts(t, p, "a", "b", "c")
	a, _, third := receive(t, c), receive(t, c), receive(t, c)
	ack(t, c, a, third) // one by one, with a gap
	c.Close()
	sendTexts(t, p, "d")
	c = subscribe(t, client, pulsar.ConsumerOptions{})
	if diff := cmp.Diff([]string{"b", "d"}, ready(t, c)); diff != "" {
		t.Error(diff)
	}
}

func TestANonDurableSubscriptionEndsWithItsConsumer(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionMode: pulsar.NonDurable})
	if diff := cmp.Diff([]string{"sub"}, broker.Subscriptions("orders")); diff != "" {
		t.Error(diff)
	}
	c.Close()
	if got := broker.Subscriptions("orders"); len(got) > 0 {
		t.Errorf("subscriptions = %q, want none", got)
	}
}

func TestASecondExclusiveConsumerIsRefused(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	opts := pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub"}
	if _, err := client.Subscribe(opts); err == nil || !strings.Contains(err.Error(), "ConsumerBusy") {
		t.Errorf("second Subscribe: %v, want ConsumerBusy", err)
	}
	c.Close()
	if _, err := client.Subscribe(opts); err != nil {
		t.Errorf("Subscribe after the first has closed: %v", err)
	}
}

func TestATypeThatDiffersFromThatOfConnectedConsumersIsRefused(t *testing.T) {
	for name, typ := range types {
		for otherName, other := range types {
			if typ == other {
				continue
			}
			t.Run(name+" then "+otherName, func(t *testing.T) {
				client := bqtest.NewBroker(t).Client()
				c := subscribe(t, client, pulsar.ConsumerOptions{Type: typ})
				opts := pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub", Type: other}
				if _, err := client.Subscribe(opts); err == nil || !strings.Contains(err.Error(), "different type") {
					t.Errorf("Subscribe: %v, want a refusal of the type", err)
				}
				c.Close()
				if _, err := client.Subscribe(opts); err != nil {
					t.Errorf("Subscribe with nobody connected: %v", err)
				}
			})
		}
	}
}

func TestUnsubscribe(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	two := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	if err := one.Unsubscribe(); err == nil {
		t.Error("Unsubscribe with another consumer connected: no error")
	}
	two.Close()
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	m := receive(t, one)
	if err := one.Unsubscribe(); err != nil {
		t.Errorf("Unsubscribe: %v", err)
	}
	if got := broker.Subscriptions("orders"); len(got) > 0 {
		t.Errorf("subscriptions = %q, want none", got)
	}
	if err := one.Ack(m); err == nil {
		t.Error("Ack after Unsubscribe: no error")
	}
}

func TestUnsubscribeForceCutsOffOtherConsumers(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared})
	if err := one.UnsubscribeForce(); err != nil {
		t.Error(err)
	}
	if n := broker.Consumers("orders", "sub"); n != 0 {
		t.Errorf("%d consumers left, want none", n)
	}
}

func TestSubscriptionsOfATopicAreIndependent(t *testing.T) {
	client := bqtest.NewBroker(t).Client()
	one := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "one"})
	two := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "two"})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	for _, c := range []pulsar.Consumer{one, two} {
		if diff := cmp.Diff([]string{"a", "b"}, ready(t, c)); diff != "" {
			t.Errorf("%s: %s", c.Subscription(), diff)
		}
	}
}

func TestEntriesThatEverybodyAcknowledgedAreLetGo(t *testing.T) {
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	p := produce(t, client, pulsar.ProducerOptions{})
	one := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "one"})
	two := subscribe(t, client, pulsar.ConsumerOptions{SubscriptionName: "two"})
	sendTexts(t, p, "a", "b")
	ack(t, one, receive(t, one), receive(t, one))
	if n := len(broker.Messages("orders")); n != 2 {
		t.Errorf("%d messages kept, want 2", n)
	}
	ack(t, two, receive(t, two))
	if n := len(broker.Messages("orders")); n != 1 {
		t.Errorf("%d messages kept, want 1", n)
	}
	ack(t, two, receive(t, two))
	if n := len(broker.Messages("orders")); n != 0 {
		t.Errorf("%d messages kept, want none", n)
	}
}
