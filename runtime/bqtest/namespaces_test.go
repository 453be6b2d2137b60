package bqtest_test

import (
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestSubscriptionsThatAnAdministratorMakes(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	broker.SetNamespace("acme/staging", bqtest.Namespace{NoTopics: true, NoSubscriptions: true})
	const topic = "acme/staging/orders"
	if err := broker.CreateSubscription(topic, "early", true); err == nil {
		t.Error("a subscription of a topic that does not exist: no error")
	}
	if err := broker.CreateTopic("nobody/nowhere/orders"); err == nil {
		t.Error("a topic in a namespace that does not exist: no error")
	}
	if err := broker.CreateTopic(topic); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	p := produce(t, client, pulsar.ProducerOptions{Topic: topic})
	sendTexts(t, p, "a")
	for name, earliest := range map[string]bool{"early": true, "late": false} {
		if err := broker.CreateSubscription(topic, name, earliest); err != nil {
			t.Fatal(err)
		}
	}
	sendTexts(t, p, "b")
	for name, want := range map[string][]string{"early": {"a", "b"}, "late": {"b"}} {
		c := subscribe(t, client, pulsar.ConsumerOptions{Topic: topic, SubscriptionName: name, Type: pulsar.Shared})
		if diff := cmp.Diff(want, ready(t, c)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestPermissions(t *testing.T) {
	broker := bqtest.NewBroker(t)
	broker.SetPolicies("orders", bqtest.Policies{NoProduce: true, NoConsume: true})
	client := broker.Client()
	if _, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"}); err == nil {
		t.Error("CreateProducer: no error")
	}
	if _, err := client.Subscribe(pulsar.ConsumerOptions{Topic: "orders", SubscriptionName: "sub"}); err == nil {
		t.Error("Subscribe: no error")
	}
	broker.SetPolicies("orders", bqtest.Policies{})
	produce(t, client, pulsar.ProducerOptions{})
	subscribe(t, client, pulsar.ConsumerOptions{})
}
