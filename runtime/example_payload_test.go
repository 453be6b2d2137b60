package bq_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A payload that breaks its schema is not sent. The error lists all violations, not only the first.
func ExamplePayloadError() {
	broker := bqtest.New()
	defer broker.Close()
	publishers := orderevents.NewPublishers(broker.Client())
	defer publishers.Close(context.Background())

	_, err := publishers.OrderCancelled.Publish(context.Background(), orderevents.OrderCancelled{
		OrderID: 1042, CustomerID: "c-\xff", Reason: "lost", Refund: &orderevents.Money{Amount: "99,90", Currency: "EUR"},
	})
	var invalid *bq.PayloadError
	if errors.As(err, &invalid) {
		for _, v := range invalid.Violations {
			fmt.Printf("%-15s %-7s %s, got %s\n", v.Pointer, v.Rule, v.Message, v.Value)
		}
	}
	// Output:
	// /customer_id    utf8    want valid UTF-8, got "c-\xff"
	// /reason         enum    want a value of the enum, got "lost"
	// /refund/amount  format  want a decimal number such as -12.50, got "99,90"
}

// The note of an order can be absent, null or a text, and each means something else.
func ExampleOptional() {
	describe := func(order orderevents.OrderCreated) string {
		note, ok := order.Note.Get()
		switch {
		case ok:
			return "note: " + note
		case order.Note.IsNull():
			return "the customer took the note back"
		}
		return "no note"
	}

	order := orderevents.OrderCreated{
		OrderID: 1042, CustomerID: "c-7", PlacedAt: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC), Channel: "web",
		Lines: []orderevents.OrderCreatedLinesItem{{
			SKU: "PEN-01", Quantity: 1, Price: orderevents.Money{Amount: "75.00", Currency: "EUR"},
		}},
		Total:    orderevents.Money{Amount: "75.00", Currency: "EUR"},
		Delivery: &orderevents.DeliveryPickup{Shop: "Main Street"},
	}
	for _, note := range []bq.Optional[string]{{}, bq.Null[string](), bq.Some("ring twice")} {
		order.Note = note
		text, err := json.Marshal(order) // as it is on the wire
		check(err)
		var received orderevents.OrderCreated
		check(json.Unmarshal(text, &received))
		fmt.Println(describe(received))
	}
	// Output:
	// no note
	// the customer took the note back
	// note: ring twice
}

// A decimal keeps its text, so no cent is lost to rounding. Rat computes with it.
func ExampleDecimal() {
	price := bq.Decimal("12.45")
	exact, ok := price.Rat()
	fmt.Println(price, ok, exact.FloatString(2))
	fmt.Println(bq.Decimal("12,45").Valid())
	// Output:
	// 12.45 true 12.45
	// false
}

// Free-form parts of a payload are JSON text. They come out as they went in.
func ExampleJSONOf() {
	attributes, err := bq.JSONOf(map[string]any{"color": "blue", "size": 44})
	check(err)
	fmt.Println(attributes)

	var shoe struct{ Size int }
	check(attributes.Unmarshal(&shoe))
	fmt.Println(shoe.Size)
	// Output:
	// {"color":"blue","size":44}
	// 44
}
