package payload

import "testing"

// A payload of four fields is what the allocation limits are about.
type testPayment struct {
	ID       int64
	Customer string
	Amount   float64
	Currency testLevel
}

func (v *testPayment) EncodeJSON(e *Encoder) {
	if !e.BeginObject() {
		return
	}
	e.Member("id").Int64(v.ID)
	e.Member("customer").String(v.Customer)
	e.Member("amount").Float64(v.Amount)
	v.Currency.EncodeJSON(e.Member("currency"))
	e.EndObject()
}

func (v *testPayment) DecodeJSON(d *Decoder) {
	*v = testPayment{}
	d.Require("id", "customer", "amount", "currency")
	for name := range d.Object {
		switch string(name) {
		case "id":
			d.Int64(&v.ID)
		case "customer":
			d.String(&v.Customer)
		case "amount":
			d.Float64(&v.Amount)
		case "currency":
			v.Currency.DecodeJSON(d)
		}
	}
}

var (
	testPaymentText = []byte(`{"id":1042,"customer":"c-7","amount":99.5,"currency":"high"}`)

	// Called through variables, as the runtime calls them.
	encodeTestPayment = (*testPayment).EncodeJSON
	decodeTestPayment = (*testPayment).DecodeJSON
)

func TestPayloadsTakeFewAllocations(t *testing.T) {
	var v testPayment
	var d Decoder
	decode := func() {
		d.Reset(testPaymentText)
		decodeTestPayment(&v, &d)
		if err := d.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	// Its two strings.
	if got := testing.AllocsPerRun(100, decode); got > 2 {
		t.Errorf("decoding takes %v allocations, want at most 2", got)
	}
	var e Encoder
	buf := make([]byte, 0, 256)
	encode := func() {
		e.Reset(buf[:0])
		encodeTestPayment(&v, &e)
		if _, err := e.Bytes(); err != nil {
			t.Fatal(err)
		}
	}
	if got := testing.AllocsPerRun(100, encode); got > 0 {
		t.Errorf("encoding takes %v allocations, want none", got)
	}
}

func BenchmarkDecodePayload(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(testPaymentText)))
	var v testPayment
	var d Decoder
	for b.Loop() {
		d.Reset(testPaymentText)
		v.DecodeJSON(&d)
		if err := d.Finish(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodePayload(b *testing.B) {
	b.ReportAllocs()
	v := testPayment{ID: 1042, Customer: "c-7", Amount: 99.5, Currency: "high"}
	var e Encoder
	var buf []byte
	for b.Loop() {
		e.Reset(buf[:0])
		v.EncodeJSON(&e)
		text, err := e.Bytes()
		if err != nil {
			b.Fatal(err)
		}
		buf = text
	}
}
