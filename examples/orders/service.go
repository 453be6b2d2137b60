package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
)

// warehouse handles every message of the orders queue; the compiler finds a handler that is missing.
type warehouse struct {
	mu   sync.Mutex
	busy map[int64]int // how often the bank was asked about an order
}

var _ orderevents.OrdersHandler = (*warehouse)(nil)

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

func (w *warehouse) HandleOrderCancelled(context.Context, *bq.Message[orderevents.OrderCancelled]) error {
	return nil
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

// mailer handles every message of the notifications queue.
type mailer struct{}

var _ orderevents.NotificationsHandler = mailer{}

func (mailer) HandleReceiptRequested(_ context.Context, m *bq.Message[orderevents.ReceiptRequested]) error {
	if !strings.Contains(m.Data.Email, "@") {
		return fmt.Errorf("%q is no mail address", m.Data.Email)
	}
	return nil
}

func (mailer) HandleReminderRequested(context.Context, *bq.Message[orderevents.ReminderRequested]) error {
	return nil
}

func (mailer) HandleReceiptSent(context.Context, *bq.Message[orderevents.ReceiptSent]) error {
	return nil
}
