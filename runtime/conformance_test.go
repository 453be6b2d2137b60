package bq

import (
	"context"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/internal/conformance"
)

const cases = "testdata/conformance"

// routesFor returns routes that lead each URN to a handler that does nothing.
func routesFor(urns ...string) RouteSet {
	var routes []Route
	for _, urn := range urns {
		routes = append(routes, Route{
			urn: urn, open: func() call { return &rawCall{fn: func(context.Context, *Delivery) error { return nil }} },
		})
	}
	return Routes(routes...)
}

var subscriptionTypes = map[string]pulsar.SubscriptionType{
	"Exclusive": pulsar.Exclusive, "Failover": pulsar.Failover, "Shared": pulsar.Shared, "Key_Shared": pulsar.KeyShared,
}

// TestBuildConformance runs the cases on what a consumer refuses to be built with (CFG-1, CFG-3).
func TestBuildConformance(t *testing.T) {
	built := 0
	conformance.Run(t, cases, "max_attempts.json", func(t *testing.T, c conformance.MaxAttempts) {
		if c.Expect == nil {
			return // on deliveries: TestMaxAttemptsConformance
		}
		built++
		broker := bqtest.NewBroker(t)
		q := Queue{Name: "orders", Topic: "orders"}
		own, err := broker.Client().Subscribe(pulsar.ConsumerOptions{Topic: q.Topic, SubscriptionName: "own"})
		if err != nil {
			t.Fatal(err)
		}
		client, options := pulsar.Client(nil), []ConsumerOption{WithPulsarConsumer(own)}
		switch {
		case c.Rule == "CFG-1":
			client, options = broker.Client(), append(options, WithMaxAttempts(c.MaxAttempts))
		case c.RetrySource == "client":
			client = broker.Client()
		case c.RetrySource == "retryProducer":
			producer, err := broker.Client().CreateProducer(pulsar.ProducerOptions{Topic: q.Topic})
			if err != nil {
				t.Fatal(err)
			}
			options = append(options, WithRetryProducer(producer))
		case c.RetrySource != "none":
			t.Fatalf("unknown retry source %q", c.RetrySource)
		}
		if c.Subscription != "" {
			options = append(options, WithSubscriptionType(subscriptionTypes[c.Subscription]))
		}
		_, err = NewConsumer(client, q, routesFor("urn:x"), options...)
		if (err == nil) != c.Expect.BuildOK {
			t.Errorf("got %v, want ok %v", err, c.Expect.BuildOK)
		}
	})
	if built == 0 {
		t.Error("no case is on construction")
	}
}
