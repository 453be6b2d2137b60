package bq

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
)

// TestOptionsThatAreNilOrContradictAreRefused: F28.
func TestOptionsThatAreNilOrContradictAreRefused(t *testing.T) {
	q := Queue{Name: "orders", Topic: "orders"}
	handle := func(context.Context, *Delivery) error { return nil }
	exhausted := func(context.Context, *Delivery, error) error { return nil }
	for want, opts := range map[string][]ConsumerOption{
		"option 2 is nil":                                        {WithConcurrency(1), nil},
		"WithMiddleware: a middleware is nil":                    {WithMiddleware(nil)},
		"WithMiddleware: a middleware returned no handler":       {WithMiddleware(func(Handler) Handler { return nil })},
		"WithMiddleware: panic: no":                              {WithMiddleware(func(Handler) Handler { panic("no") })},
		"WithObserver: the observer has no functions":            {WithObserver(Observer{})},
		"WithUnknownURN: the handler is nil":                     {WithUnknownURN(nil)},
		"WithRecords: the handler is nil":                        {WithRecords(nil)},
		"WithRecords is given twice":                             {WithRecords(handle), WithRecords(handle)},
		"WithSchemas: the function is nil":                       {WithSchemas(nil)},
		"WithUnknownURN is given twice":                          {WithUnknownURN(handle), WithUnknownURN(handle)},
		"WithOnExhausted: the function is nil":                   {WithOnExhausted(nil)},
		"WithOnExhausted is given twice":                         {WithOnExhausted(exhausted), WithOnExhausted(exhausted)},
		"WithRetryBackoff: the backoff is nil":                   {WithRetryBackoff(nil)},
		"WithPulsarConsumer: the consumer is nil":                {WithPulsarConsumer(nil)},
		"WithRetryProducer: the producer is nil":                 {WithRetryProducer(nil)},
		"WithDeadLetterProducer: the producer is nil":            {WithDeadLetterProducer(nil)},
		"WithSubscription has no effect with WithPulsarConsumer": {WithPulsarConsumer(aConsumer{}), WithSubscription("x")},
		"WithInitialPosition has no effect with WithPulsarConsumer": {WithPulsarConsumer(aConsumer{}),
			WithInitialPosition(pulsar.SubscriptionPositionLatest)},
		"WithReceiverQueueSize has no effect with WithPulsarConsumer": {WithPulsarConsumer(aConsumer{}),
			WithReceiverQueueSize(1)},
	} {
		_, err := NewConsumer(aClient{}, q, routesFor("urn:x"), opts...)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

type aConsumer struct{ pulsar.Consumer }

type aClient struct{ pulsar.Client }

func TestMiddlewareCanReplaceThePayloadAndCallAgain(t *testing.T) {
	var seen []int64
	fail := errors.New("first")
	route := Handle(paymentDefinition, func(_ context.Context, m *Message[payment]) error {
		seen = append(seen, m.Data.OrderID)
		if len(seen) == 1 {
			return fail
		}
		return nil
	})
	var plain []byte
	decrypt := func(next Handler) Handler {
		return func(ctx context.Context, d *Delivery) error {
			plain = d.Data()
			d.SetData([]byte(strings.Replace(string(plain), "1042", "7", 1)))
			clear(d.Data()) // a copy
			return next(ctx, d)
		}
	}
	again := func(next Handler) Handler {
		return func(ctx context.Context, d *Delivery) error {
			if err := next(ctx, d); !errors.Is(err, fail) {
				t.Errorf("got %v", err)
			}
			other := *d
			return next(ctx, &other)
		}
	}
	handle, err := compose([]Middleware{decrypt, again}, false)
	if err != nil {
		t.Fatal(err)
	}
	called := route.open()
	d := called.delivery()
	d.call, d.data = called, []byte(`{"order_id":1042,"amount":1,"currency":"EUR"}`)
	if err := handle(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen[0] != 7 || seen[1] != 7 || !strings.Contains(string(plain), "1042") {
		t.Errorf("the handler saw %d, the middleware %s", seen, plain)
	}
	d.SetData([]byte(`{}`))
	var refused *PayloadError
	if err := d.call.handle(t.Context(), d); !errors.As(err, &refused) {
		t.Errorf("a payload without members: got %v", err)
	}
}
