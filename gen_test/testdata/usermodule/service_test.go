package shop

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"

	"example.com/shop/orderevents"
)

// A service handles the whole queue, so it has a method for each URN of the queue.
type service struct {
	created chan *bq.Message[orderevents.OrderCreated]
	placed  chan *bq.Message[orderevents.OrderPlaced]
}

var _ orderevents.OrdersHandler = (*service)(nil)

func (s *service) HandleOrderCreated(_ context.Context, m *bq.Message[orderevents.OrderCreated]) error {
	s.created <- m
	return nil
}

func (s *service) HandleOrderPlaced(_ context.Context, m *bq.Message[orderevents.OrderPlaced]) error {
	s.placed <- m
	return nil
}

func TestAServicePublishesAndConsumes(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	client := broker.Client()
	svc := &service{
		created: make(chan *bq.Message[orderevents.OrderCreated], 1),
		placed:  make(chan *bq.Message[orderevents.OrderPlaced], 1),
	}
	consumer, err := orderevents.NewOrdersConsumer(client, svc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- consumer.Run(ctx) }()

	pubs := orderevents.NewPublishers(client)
	want := orderevents.OrderPlaced{
		OrderID:  1042,
		PlacedAt: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		Status:   orderevents.OrderPlacedStatusInDelivery,
		Lines: []orderevents.OrderPlacedLinesItem{{
			SKU: "tea", Quantity: 2, Price: &orderevents.Money{Amount: "4.20", Currency: orderevents.MoneyCurrencyGBP},
		}},
		ShipTo: orderevents.Address{Street: "Long Lane 1", City: "York"},
	}
	if _, err := pubs.OrderPlaced.Publish(ctx, want); err != nil {
		t.Fatal(err)
	}
	select {
	case m := <-svc.placed:
		if diff := cmp.Diff(want, m.Data); diff != "" {
			t.Errorf("received (-published +received):\n%s", diff)
		}
	case <-ctx.Done():
		t.Fatal("nothing received")
	}
	sent := broker.Messages("persistent://public/default/orders")
	if len(sent) != 1 || sent[0].Key != "1042" {
		t.Errorf("on the topic are %+v, want one message with the key 1042", sent)
	}

	broken := want
	broken.Status = "lost"
	broken.Lines = []orderevents.OrderPlacedLinesItem{{SKU: "tea", Quantity: 0}}
	_, err = pubs.OrderPlaced.Publish(ctx, broken)
	var invalid *bq.PayloadError
	if !errors.As(err, &invalid) {
		t.Fatalf("publishing an invalid payload: got %v, want a *bq.PayloadError", err)
	}
	var found []string
	for _, v := range invalid.Violations {
		found = append(found, v.Pointer+" "+v.Rule)
	}
	if diff := cmp.Diff([]string{"/lines/0/quantity minimum", "/status enum"}, found); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
	if now := broker.Messages("persistent://public/default/orders"); len(now) != len(sent) {
		t.Errorf("%d messages on the topic after that, want %d", len(now), len(sent))
	}
	if err := pubs.Close(context.Background()); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
