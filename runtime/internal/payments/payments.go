// Package payments has a payload as generated code would have it, for benchmarks. The message of a [Payment] with a
// note of 84 characters has about 400 bytes.
package payments

import "github.com/babelqueue/bqgen/runtime/payload"

// URN is that of the messages.
const URN = "urn:babel:payments:captured"

// Codec reads and writes payments.
var Codec = payload.Codec[Payment]{Encode: (*Payment).encode, Decode: (*Payment).decode}

// A Payment is a payload of four members.
type Payment struct {
	OrderID  int64
	Amount   float64
	Currency string
	Note     string
}

func (p *Payment) encode(e *payload.Encoder) {
	e.BeginObject()
	e.Member("order_id").Int64(p.OrderID)
	e.Member("amount").Float64(p.Amount)
	e.Member("currency").String(p.Currency)
	e.Member("note").String(p.Note)
	e.EndObject()
}

func (p *Payment) decode(d *payload.Decoder) {
	d.Require("order_id", "amount", "currency")
	for name := range d.Object {
		switch string(name) {
		case "order_id":
			d.Int64(&p.OrderID)
		case "amount":
			d.Float64(&p.Amount)
		case "currency":
			d.String(&p.Currency)
		case "note":
			d.String(&p.Note)
		}
	}
}
