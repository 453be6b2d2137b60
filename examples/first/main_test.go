package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// patience is how long anything may take on a loaded machine.
const patience = time.Minute

// A bank can be down, and never refunds the order that it does not know.
type bank struct {
	clock    func() time.Time
	opens    time.Time
	called   chan struct{} // told of each refund that begins
	goOn     chan struct{} // closed, or refunds wait for it
	mu       sync.Mutex
	refunded map[int64]int
}

const unknownOrder = 13

func (b *bank) refund(_ context.Context, orderID int64) error {
	b.called <- struct{}{}
	<-b.goOn
	if b.clock().Before(b.opens) {
		return errors.New("the bank is down")
	}
	if orderID == unknownOrder {
		panic("no such order")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refunded[orderID]++
	return nil
}

func TestAFirstServiceSurvivesAnOutageASignalAndAPoisonMessage(t *testing.T) {
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.DiscardHandler))

	const orders, outage = 30, 2 * time.Second
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start), bqtest.WithRetention())
	b := &bank{
		clock: broker.Now, opens: start.Add(outage),
		called: make(chan struct{}, 10*orders), goOn: make(chan struct{}), refunded: map[int64]int{},
	}
	serve := func() (ended chan error) {
		ended = make(chan error, 1)
		client := broker.Client()
		go func() {
			defer client.Close()
			ended <- run(client, b.refund)
		}()
		return ended
	}
	stop := func(ended chan error) {
		t.Helper()
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		if err := self.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case <-b.goOn:
		default:
			close(b.goOn) // the signal comes while a refund is on its way
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the service ended with %v", err)
			}
		case <-time.After(patience):
			t.Fatal("the service does not end")
		}
	}

	// The signal comes while the bank is down and the first of the orders is in hand.
	publish(t, broker.Client(), orders)
	ended := serve()
	select {
	case <-b.called:
	case <-time.After(patience):
		t.Fatal("no order is handled")
	}
	stop(ended)
	left, dead := broker.Backlog("orders", "babelqueue"), len(broker.Messages("orders.dlq"))
	if left+dead != orders+1 || dead > 1 {
		t.Errorf("%d messages are left and %d are dead letters, want %d in all, at most 1 dead", left, dead, orders+1)
	}

	// The next one sees the end of the outage and handles them all.
	ended = serve()
	giveUp := time.Now().Add(patience)
	for broker.Backlog("orders", "babelqueue") > 0 {
		if time.Now().After(giveUp) {
			t.Fatalf("%d messages are left", broker.Backlog("orders", "babelqueue"))
		}
		broker.Advance(50 * time.Millisecond)
		waited, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		_ = broker.WaitUntil(waited, func() bool { return broker.Backlog("orders", "babelqueue") == 0 })
		cancel()
	}
	stop(ended)

	b.mu.Lock()
	defer b.mu.Unlock()
	for id := int64(1); id <= orders; id++ {
		if n := b.refunded[id]; n != 1 && id != unknownOrder {
			t.Errorf("order %d was refunded %d times", id, n)
		}
	}
	if n := len(broker.Messages("notifications")); n != orders-1 {
		t.Errorf("%d receipts were requested, want %d", n, orders-1)
	}
	if letters := broker.Messages("orders.dlq"); len(letters) != 2 {
		t.Errorf("there are %d dead letters, want 2: the order that nobody knows, and what is no order", len(letters))
	}
}

// publish sends a message that is no order, and cancels orders.
func publish(t *testing.T, client pulsar.Client, orders int64) {
	t.Helper()
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "orders"})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	publishers := orderevents.NewPublishers(client)
	defer publishers.Close(context.Background())
	for id := int64(1); id <= orders; id++ {
		_, err := publishers.OrderCancelled.Publish(t.Context(), orderevents.OrderCancelled{
			OrderID: id, CustomerID: "c-7", Reason: orderevents.OrderCancelledReasonFraud,
		})
		if err != nil {
			t.Fatal(err)
		}
		if id == orders/2 {
			if _, err := producer.Send(t.Context(), &pulsar.ProducerMessage{Payload: []byte("{")}); err != nil {
				t.Fatal(err)
			}
		}
	}
}
