package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
)

const reminderDelay = 2 * time.Second

// story publishes messages one after the other and prints what happens to each.
type story struct {
	client     pulsar.Client
	publishers *orderevents.Publishers
	settled    <-chan settlement
	early      []settlement // came while another one was waited for
	refunded   <-chan int
	began      time.Time
	ids        map[string]bool // of the messages that the story has published
	out        *report
}

// A settlement is what a service did with a message.
type settlement struct {
	bq.Settlement
	service string
}

func (s *story) tell(ctx context.Context) error {
	p := s.publishers
	eur := func(amount bq.Decimal) orderevents.Money {
		return orderevents.Money{Amount: amount, Currency: orderevents.CurrencyEUR}
	}
	scene := func(title string, publish func() (id, what string, err error), services ...string) error {
		s.out.title(title)
		id, what, err := publish()
		if err != nil {
			return err
		}
		s.out.published("%s", what)
		if len(services) == 0 {
			return s.follow(ctx, id, what)
		}
		for _, service := range services {
			if err := s.followIn(ctx, service, id, what+" by "+service); err != nil {
				return err
			}
		}
		return nil
	}

	s.out.title("A reminder is published with a delay")
	reminder, err := p.ReminderRequested.Publish(ctx, orderevents.ReminderRequested{
		OrderID: 1042, Email: "ada@example.com", Amount: new(eur("99.90")),
	}, bq.WithDelay(reminderDelay))
	if err != nil {
		return err
	}
	s.out.published("ReminderRequested for order 1042, not before %s have passed", reminderDelay)

	for _, order := range []orderevents.OrderCreated{
		{
			OrderID: 1042, CustomerID: "c-7", PlacedAt: time.Now(), Channel: orderevents.OrderCreatedChannelWeb,
			Lines: []orderevents.OrderCreatedLinesItem{
				{SKU: "MUG-BLUE", Quantity: 2, Price: eur("12.45")},
				{SKU: "PEN-01", Quantity: 1, Price: eur("75.00"), Engraving: new("For Ada")},
			},
			Total: eur("99.90"),
			Delivery: &orderevents.DeliveryParcel{
				Address: orderevents.Address{Name: "Ada Byron", Street: "Main Street 1", City: "London", Country: "GB"},
			},
			Gift:   &orderevents.OrderCreatedGift{Wrap: true, Message: new("Happy birthday ☕")},
			Labels: map[string]string{"campaign": "spring"},
		},
		{
			OrderID: 1043, CustomerID: "c-8", PlacedAt: time.Now(), Channel: orderevents.OrderCreatedChannelInStore,
			Lines:    []orderevents.OrderCreatedLinesItem{{SKU: "LAMP", Quantity: 1, Price: eur("40.00")}},
			Total:    eur("40.00"),
			Delivery: &orderevents.DeliveryPickup{Shop: "Manchester", NotBefore: new("2026-03-02")},
			Note:     bq.Null[string](),
		},
	} {
		err := scene("A customer places an order", func() (string, string, error) {
			r, err := p.OrderCreated.Publish(ctx, order)
			return r.ID, fmt.Sprintf("OrderCreated %d of customer %s", order.OrderID, order.CustomerID), err
		})
		if err != nil {
			return err
		}
	}
	if err := s.callOff(ctx, 1043, 1044, 1045); err != nil {
		return err
	}
	err = scene("Two services each hear of a parcel, and one of them fails", func() (string, string, error) {
		r, err := p.ParcelDelivered.Publish(ctx, orderevents.ParcelDelivered{OrderID: 1042, TrackingCode: "JJ42"})
		return r.ID, "ParcelDelivered for order 1042", err
	}, "accounts", "mailer")
	if err != nil {
		return err
	}
	err = scene("A message of the same queue that is for one service only", func() (string, string, error) {
		r, err := p.ParcelLost.Publish(ctx, orderevents.ParcelLost{
			OrderID: 1043, TrackingCode: "JJ43", Refund: eur("40.00"),
		})
		return r.ID, "ParcelLost for order 1043", err
	}, "accounts", "mailer")
	if err != nil {
		return err
	}
	for _, next := range []struct {
		title   string
		publish func() (id, what string, err error)
	}{
		{"A payment whose handler fails twice", func() (string, string, error) {
			r, err := p.PaymentCaptured.Publish(ctx, orderevents.PaymentCaptured{
				PaymentID: uuid.New(), OrderID: 1042, Amount: eur("99.90"),
			})
			return r.ID, "PaymentCaptured for order 1042", err
		}},
		{"A parcel whose handler always fails", func() (string, string, error) {
			r, err := p.ParcelDispatched.Publish(ctx, orderevents.ParcelDispatched{
				OrderID: 1042, Carrier: "Pigeon",
				Parcels: []orderevents.ParcelDispatchedParcelsItem{{TrackingCode: "P-1", WeightKg: 0.01}},
			})
			return r.ID, "ParcelDispatched for order 1042", err
		}},
		{"A receipt that fails, on a queue without dead letters", func() (string, string, error) {
			r, err := p.ReceiptRequested.Publish(ctx, orderevents.ReceiptRequested{OrderID: 1042, Email: "nowhere"})
			return r.ID, "ReceiptRequested for order 1042", err
		}},
		{"A URN that the catalog does not have", func() (string, string, error) {
			return s.foreign(ctx, "urn:babel:orders:archived", "1", envelopeOf)
		}},
		{"An envelope of a version to come", func() (string, string, error) {
			return s.foreign(ctx, orderevents.OrderCreatedURN, "2", envelopeOf)
		}},
		{"A body that is not an envelope", func() (string, string, error) {
			return s.foreign(ctx, orderevents.OrderCreatedURN, "1",
				func(urn, id string) string { return envelopeOf(urn, id)[:60] })
		}},
	} {
		if err := scene(next.title, next.publish); err != nil {
			return fmt.Errorf("%s: %w", next.title, err)
		}
	}
	s.out.title("The reminder is due")
	if err := s.follow(ctx, reminder.ID, "ReminderRequested for order 1042"); err != nil {
		return err
	}
	if err := s.audit(ctx); err != nil {
		return err
	}
	s.out.summary()
	return nil
}

// callOff calls orders off that are refunded together, in one batch.
func (s *story) callOff(ctx context.Context, orders ...int64) error {
	s.out.title("Orders are called off, and refunded together")
	ids := make([]string, len(orders))
	for i, order := range orders {
		r, err := s.publishers.OrderCancelled.Publish(ctx, orderevents.OrderCancelled{
			OrderID: order, CustomerID: "c-8", Reason: orderevents.OrderCancelledReasonOutOfStock,
		})
		if err != nil {
			return err
		}
		ids[i] = r.ID
		s.out.published("OrderCancelled %d", order)
	}
	select {
	case n := <-s.refunded:
		s.out.line("refunded", "%d orders in one batch", n)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for i, order := range orders {
		if err := s.follow(ctx, ids[i], fmt.Sprintf("OrderCancelled %d", order)); err != nil {
			return err
		}
	}
	return nil
}

// audit reads what the story has left on the topic, without consuming it.
func (s *story) audit(ctx context.Context) error {
	s.out.title("The books are audited: the topic is read once more")
	count := make(map[string]int)
	for m, err := range orderevents.ReadOrders(ctx, s.client, bq.FromTime(s.began)) {
		var unreadable *bq.UnreadableError
		switch {
		case errors.As(err, &unreadable):
			if s.ids[unreadable.Delivery.ID] {
				count["unreadable ("+string(unreadable.Reason)+")"]++
			}
			continue
		case err != nil:
			return err
		case !s.ids[m.ID]:
			continue // another story's
		}
		switch m.Data.(type) {
		case *orderevents.OrderCreated:
			count["OrderCreated"]++
		case *orderevents.OrderCancelled:
			count["OrderCancelled"]++
		case *orderevents.PaymentCaptured:
			count["PaymentCaptured"]++
		case *orderevents.ParcelDispatched:
			count["ParcelDispatched"]++
		}
	}
	for _, what := range slices.Sorted(maps.Keys(count)) {
		s.out.line("read", "%s %d", what, count[what])
	}
	return nil
}

// foreign publishes a body as another service might, without the generated publishers.
func (s *story) foreign(
	ctx context.Context, urn, version string, body func(urn, id string) string,
) (id, what string, err error) {
	producer, err := s.client.CreateProducer(pulsar.ProducerOptions{
		Topic: orderevents.OrdersQueue().Topic, DisableBatching: true,
	})
	if err != nil {
		return "", "", err
	}
	defer producer.Close()
	id = uuid.NewString()
	_, err = producer.Send(ctx, &pulsar.ProducerMessage{
		Payload: []byte(body(urn, id)),
		Properties: map[string]string{
			"bq-job": urn, "bq-trace-id": "trace-1", "bq-message-id": id,
			"bq-schema-version": version, "bq-source-lang": "php", "bq-attempts": "0",
		},
	})
	return id, fmt.Sprintf("%s of version %s", urn, version), err
}

func envelopeOf(urn, id string) string {
	return fmt.Sprintf(`{"job":%q,"trace_id":"trace-1","data":{"order_id":1042},"meta":{"id":%q,"queue":"orders",`+
		`"lang":"php","schema_version":1,"created_at":1749132727000},"attempts":0}`, urn, id)
}

// follow prints what happens to a message until it is settled for good.
func (s *story) follow(ctx context.Context, id, what string) error {
	return s.followIn(ctx, "", id, what)
}

// followIn is follow for one of several services that each get the message. "" is any.
func (s *story) followIn(ctx context.Context, service, id, what string) error {
	s.ids[id] = true
	for {
		next, err := s.next(ctx, service, id)
		if err != nil {
			return fmt.Errorf("waiting for %s: %w", what, err)
		}
		s.out.settled(what, next)
		switch next.Action {
		case bq.Acknowledged, bq.DeadLettered, bq.Dropped, bq.Skipped:
			return nil
		}
	}
}

// next returns the next settlement of a message in a service. Others are kept for later calls.
func (s *story) next(ctx context.Context, service, id string) (bq.Settlement, error) {
	wanted := func(x settlement) bool {
		return x.Delivery.ID == id && (service == "" || service == x.service)
	}
	if i := slices.IndexFunc(s.early, wanted); i >= 0 {
		found := s.early[i]
		s.early = slices.Delete(s.early, i, i+1)
		return found.Settlement, nil
	}
	for {
		select {
		case x := <-s.settled:
			if wanted(x) {
				return x.Settlement, nil
			}
			s.early = append(s.early, x)
		case <-ctx.Done():
			return bq.Settlement{}, context.Cause(ctx)
		}
	}
}
