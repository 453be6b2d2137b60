package interop

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
)

// payloads are payloads that each side must understand when the other sends them.
var payloads = []order{
	{ID: 0, Note: "", Tags: []string{}},
	{ID: 1, Note: "naïve ☕ 😀 ٣ é e\u0301", Tags: []string{"ünïcode", "日本語"}},
	{ID: 2, Note: "line\u2028paragraph\u2029next\u0085del\x7f", Tags: []string{"\u00a0", "\ufeff", "\ufffe\uffff"}},
	{ID: 3, Note: `<script>alert("x") && 'y'</script> a/b`, Tags: []string{"<", ">", "&"}},
	{ID: 4, Note: "\x00\x01\b\t\n\v\f\r\x1b\x1f\"\\", Tags: []string{`\u0041`, `\ud800`}},
	{ID: 1<<53 + 1, Note: "beyond a double", Tags: []string{}},
	{ID: math.MaxInt64, Note: "largest", Tags: []string{}},
	{ID: math.MinInt64, Note: "smallest", Tags: []string{}},
	{ID: 5, Note: strings.Repeat("é☕", 50_000), Tags: []string{"long"}},
}

func TestPythonHandlesWhatGoPublishes(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	began := time.Now().Add(-time.Second)
	var sent []bq.PublishResult
	for _, o := range payloads {
		sent = append(sent, b.goPublishes(q, o, bq.WithTraceID("trace-é"), bq.WithKey("c-7"),
			bq.WithMeta(map[string]any{"ext": map[string]any{"acme": 1}})))
	}
	done := b.pythonWorks(q, work{deliveries: len(payloads)})
	if len(done.Handled) != len(payloads) || len(done.Log) > 0 {
		t.Fatalf("Python handled %d messages, want %d; it logged %q", len(done.Handled), len(payloads), done.Log)
	}
	for i, got := range done.Handled {
		var o order
		if err := json.Unmarshal(got.Data, &o); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(payloads[i], o); diff != "" {
			t.Errorf("NUM-1, NUM-2, ENC-1 to ENC-4: payload %d (-want +got):\n%s", i, diff)
		}
		meta := pythonMeta{sent[i].ID, q.Name, "go", 1, got.Meta.CreatedAt}
		if diff := cmp.Diff(meta, got.Meta); diff != "" {
			t.Errorf("ENV-3, ENV-5: payload %d: meta (-want +got):\n%s", i, diff)
		}
		if at := time.UnixMilli(got.Meta.CreatedAt); at.Before(began) || at.After(time.Now().Add(time.Second)) {
			t.Errorf("ENV-3: created_at is %s", at)
		}
		if e := got.Envelope; e.Job != orderURN || e.TraceID != "trace-é" || e.Attempts != 0.0 || e.DeadLetter != nil {
			t.Errorf("ENV-2: got %+v", e)
		}
	}
}

func TestGoHandlesWhatPythonPublishes(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	began := time.Now().Add(-time.Second)
	ids := make([]string, len(payloads))
	for i, o := range payloads {
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = b.pythonPublishes(q, string(data), "trace-é")
	}
	for i, got := range b.goWorks(q, len(payloads), 0) {
		if diff := cmp.Diff(payloads[i], got.order); diff != "" {
			t.Errorf("NUM-1, NUM-2, ENC-1 to ENC-4: payload %d (-want +got):\n%s", i, diff)
		}
		d := got.Delivery
		if got.Action != bq.Acknowledged || d.URN != orderURN || d.ID != ids[i] || d.TraceID != "trace-é" ||
			d.Queue != q.Name || d.Lang != "python" || d.Attempt() != 1 {
			t.Errorf("ENV-2 to ENV-6, SET-1: payload %d: got %s, %v, %+v", i, got.Action, got.Err, d)
		}
		if d.CreatedAt.Before(began) || d.CreatedAt.After(time.Now().Add(time.Second)) {
			t.Errorf("ENV-3: created_at is %s", d.CreatedAt)
		}
		if diff := cmp.Diff(properties(ids[i], "trace-é", "python", 0, nil), d.Properties()); diff != "" {
			t.Errorf("MAP-1: payload %d: properties (-want +got):\n%s", i, diff)
		}
	}
}

func TestPythonReadsWhatTypedGoCannotHoldAndGoPassesItOn(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	q := newQueue()
	// Beyond int64, and beyond the precision of a double. A Go handler that does not know the member ignores it.
	const data = `{"order_id":1,"big":123456789012345678901234567890,"exact":9007199254740993,"note":"n"}`
	b.pythonPublishes(q, data, "t")
	if got := b.goWorks(q, 1, 1); got[0].Action != bq.Retried || got[0].order.ID != 1 {
		t.Fatalf("got %s, %+v", got[0].Action, got[0].order)
	}
	done := b.pythonWorks(q, work{deliveries: 1})
	if len(done.Handled) != 1 {
		t.Fatalf("Python handled %d messages", len(done.Handled))
	}
	if diff := cmp.Diff(data, compact(t, done.Handled[0].Data)); diff != "" {
		t.Errorf("NUM-2, NUM-4 (-want +got):\n%s", diff)
	}
}

// compact returns JSON without white space, its numbers and escapes unchanged.
func compact(t *testing.T, text []byte) string {
	t.Helper()
	out, err := json.Marshal(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestBothRouteByTheProperty(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	const body = `{"job":"urn:babel:orders:other","trace_id":"t","data":{"order_id":7},"meta":{"id":"m","queue":"q",` +
		`"lang":"java","schema_version":1,"created_at":1},"attempts":0}`
	message := raw{[]byte(body), map[string]string{"bq-job": " " + orderURN + "\t", "bq-schema-version": "1"}}

	q := newQueue()
	b.goSends(q.Topic, message)
	if got := b.goWorks(q, 1, 1)[0]; got.Action != bq.Retried || got.order.ID != 7 || got.Delivery.URN != orderURN {
		t.Fatalf("RTE-1, RTE-2: Go: got %s, %+v", got.Action, got.Delivery)
	}
	if got := b.pythonWorks(q, work{deliveries: 1, fail: 1}).Handled; len(got) != 1 ||
		got[0].Envelope.Job != "urn:babel:orders:other" || got[0].Envelope.Attempts != 1.0 {
		t.Fatalf("RTE-2, RTE-11: Python, after a retry in Go: got %+v", got)
	}
	if got := b.goWorks(q, 1, 0)[0]; got.Action != bq.Acknowledged || got.Delivery.Attempts != 2 ||
		got.Delivery.Property("bq-job") != orderURN {
		t.Fatalf("RTE-11: Go, after a retry in Python: got %s, %+v", got.Action, got.Delivery)
	}
}

// forSharedAndExclusive runs test on both types.
func forSharedAndExclusive(b *bench, test func(*bench, pulsar.SubscriptionType)) {
	b.Helper()
	for _, kind := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.Exclusive} {
		b.run(kindNames[kind], func(b *bench) { test(b, kind) })
	}
}
