package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
)

// warehouse handles the messages of the orders queue, those about orders that are called off in batches.
type warehouse struct {
	refunded chan int // how many orders were refunded together

	mu   sync.Mutex
	busy map[int64]int // how often the bank was asked about an order
}

// refundsAtATime is how many orders are refunded together.
const refundsAtATime = 3

// routes says which method is for which message.
func (w *warehouse) routes() bq.RouteSet {
	return bq.Routes(
		orderevents.OnOrderCreated(w.HandleOrderCreated),
		orderevents.OnOrderCancelledBatch(w.RefundOrders, bq.Batch{Size: refundsAtATime, Wait: 10 * time.Second}),
		orderevents.OnPaymentCaptured(w.HandlePaymentCaptured),
		orderevents.OnParcelDispatched(w.HandleParcelDispatched),
	)
}

func (w *warehouse) HandleOrderCreated(_ context.Context, m *bq.Message[orderevents.OrderCreated]) error {
	switch delivery := m.Data.Delivery.(type) {
	case *orderevents.DeliveryParcel:
		if delivery.Address.Country != "GB" {
			return bq.Permanent(fmt.Errorf("no parcels to %s", delivery.Address.Country))
		}
	case *orderevents.DeliveryPickup:
		if delivery.Shop == "" {
			return bq.Permanent(errors.New("the order says no shop"))
		}
	}
	return nil
}

// RefundOrders gives the bank one list for several orders.
func (w *warehouse) RefundOrders(ctx context.Context, batch []*bq.Message[orderevents.OrderCancelled]) error {
	select {
	case w.refunded <- len(batch):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// HandlePaymentCaptured asks a bank that answers only the third time.
func (w *warehouse) HandlePaymentCaptured(_ context.Context, m *bq.Message[orderevents.PaymentCaptured]) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy == nil {
		w.busy = make(map[int64]int)
	}
	if w.busy[m.Data.OrderID]++; w.busy[m.Data.OrderID] < 3 {
		return errors.New("the bank does not answer")
	}
	return nil
}

func (w *warehouse) HandleParcelDispatched(_ context.Context, m *bq.Message[orderevents.ParcelDispatched]) error {
	if m.Data.Carrier != "Postal" {
		return fmt.Errorf("no contract with carrier %q", m.Data.Carrier)
	}
	return nil
}

// accounts is one service of the parcels queue.
type accounts struct{}

var _ orderevents.AccountsParcelsHandler = accounts{}

func (accounts) HandleParcelDelivered(context.Context, *bq.Message[orderevents.ParcelDelivered]) error {
	return nil
}

func (accounts) HandleParcelLost(context.Context, *bq.Message[orderevents.ParcelLost]) error {
	return nil
}

// mailer handles every message of the notifications queue, and is the other service of the parcels queue.
type mailer struct{ asked atomic.Bool }

var (
	_ orderevents.NotificationsHandler = (*mailer)(nil)
	_ orderevents.MailerParcelsHandler = (*mailer)(nil)
)

// HandleParcelDelivered asks a mail server that answers only the second time.
func (m *mailer) HandleParcelDelivered(context.Context, *bq.Message[orderevents.ParcelDelivered]) error {
	if !m.asked.Swap(true) {
		return errors.New("the mail server does not answer")
	}
	return nil
}

func (*mailer) HandleReceiptRequested(_ context.Context, m *bq.Message[orderevents.ReceiptRequested]) error {
	if !strings.Contains(m.Data.Email, "@") {
		return fmt.Errorf("%q is no mail address", m.Data.Email)
	}
	return nil
}

func (*mailer) HandleReminderRequested(context.Context, *bq.Message[orderevents.ReminderRequested]) error {
	return nil
}

func (*mailer) HandleReceiptSent(context.Context, *bq.Message[orderevents.ReceiptSent]) error {
	return nil
}
