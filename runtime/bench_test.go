package bq

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/internal/payments"
)

type payment = payments.Payment

var (
	paymentDefinition = Definition[payment]{
		URN:   payments.URN,
		Codec: payments.Codec,
	}
	aPayment = payment{OrderID: 1042, Amount: 99.9, Currency: "EUR", Note: "leave it at the <door>"}
)

// publishAndReadBack does what both sides of Pulsar do with a message's bytes, and returns what the handler gets.
func publishAndReadBack(tb testing.TB, header envelope.Header, in payment) (out payment) {
	body, err := encodeEnvelope(&paymentDefinition, header, &in)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := envelope.Parse(body)
	if err != nil {
		tb.Fatal(err)
	}
	if err := paymentDefinition.Codec.Read(e.Data, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// publishAndReadBackMaps is the same job with encoding/json and maps, as a program without a catalog would do it.
func publishAndReadBackMaps(tb testing.TB, header envelope.Header, in payment) (out payment) {
	body, err := json.Marshal(map[string]any{
		"job": header.URN, "trace_id": header.TraceID, "attempts": 0,
		"data": map[string]any{"order_id": in.OrderID, "amount": in.Amount, "currency": in.Currency, "note": in.Note},
		"meta": map[string]any{
			"id": header.ID, "queue": header.Queue, "lang": "go", "schema_version": 1,
			"created_at": header.CreatedAt.UnixMilli(),
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	var e map[string]any
	if err := json.Unmarshal(body, &e); err != nil {
		tb.Fatal(err)
	}
	data := e["data"].(map[string]any)
	return payment{
		OrderID: int64(data["order_id"].(float64)), Amount: data["amount"].(float64),
		Currency: data["currency"].(string), Note: data["note"].(string),
	}
}

func newPaymentHeader(tb testing.TB) envelope.Header {
	h, err := envelope.NewHeader(paymentDefinition.URN, "", "payments", time.Now())
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func TestPublishAndReadBackAllocations(t *testing.T) {
	header := newPaymentHeader(t)
	for name, job := range map[string]func(testing.TB, envelope.Header, payment) payment{
		"codec": publishAndReadBack,
		"maps":  publishAndReadBackMaps,
	} {
		if got := job(t, header, aPayment); got != aPayment {
			t.Errorf("%s: got %+v, want %+v", name, got, aPayment)
		}
	}
	testenv.SkipUnderRace(t, "it makes pools forget")
	const most = 8
	if got := testing.AllocsPerRun(200, func() { publishAndReadBack(t, header, aPayment) }); got > most {
		t.Errorf("publishing and reading back takes %v allocations, want at most %d", got, most)
	}
}

// BenchmarkPublishAndReadBack compares with encoding/json in one run: go test -bench PublishAndReadBack ./runtime
func BenchmarkPublishAndReadBack(b *testing.B) {
	header := newPaymentHeader(b)
	b.Run("codec", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			publishAndReadBack(b, header, aPayment)
		}
	})
	b.Run("maps", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			publishAndReadBackMaps(b, header, aPayment)
		}
	})
}

// encodeEnvelope returns the body of a message with the payload, or a *PayloadError if the payload is not valid.
func encodeEnvelope[T any](d *Definition[T], header envelope.Header, v *T) ([]byte, error) {
	if err := d.Codec.Check(v); err != nil {
		return nil, err
	}
	return envelope.Append(make([]byte, 0, 512), header, func(dst []byte) ([]byte, error) {
		return d.Codec.Append(dst, v)
	})
}
