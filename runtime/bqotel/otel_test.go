package bqotel_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/google/uuid"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqotel"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A lab is a telemetry whose spans and metrics a test reads.
type lab struct {
	spans   *tracetest.SpanRecorder
	tracers *sdktrace.TracerProvider
	reader  *sdkmetric.ManualReader
	*bqotel.Telemetry
}

func newLab(t *testing.T, opts ...bqotel.Option) *lab {
	t.Helper()
	l := &lab{spans: tracetest.NewSpanRecorder(), reader: sdkmetric.NewManualReader()}
	l.tracers = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(l.spans))
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(l.reader))
	var err error
	l.Telemetry, err = bqotel.New(append([]bqotel.Option{
		bqotel.WithTracerProvider(l.tracers), bqotel.WithMeterProvider(meters),
	}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ended returns the spans that have ended whose names start with prefix.
func (l *lab) ended(prefix string) (spans []sdktrace.ReadOnlySpan) {
	for _, s := range l.spans.Ended() {
		if strings.HasPrefix(s.Name(), prefix) {
			spans = append(spans, s)
		}
	}
	return spans
}

func attribute(s sdktrace.ReadOnlySpan, name string) string {
	for _, a := range s.Attributes() {
		if string(a.Key) == name {
			return a.Value.Emit()
		}
	}
	return ""
}

// sums returns the values of counters by name and attributes.
func (l *lab) sums(t *testing.T) map[string]int64 {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := l.reader.Collect(context.Background(), &data); err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range d.DataPoints {
					sums[m.Name+" "+p.Attributes.Encoded(encoder{})] = p.Value
				}
			case metricdata.Gauge[int64]:
				for _, p := range d.DataPoints {
					sums[m.Name+" "+p.Attributes.Encoded(encoder{})] = p.Value
				}
			case metricdata.Gauge[float64]:
				for _, p := range d.DataPoints {
					sums[m.Name+" "+p.Attributes.Encoded(encoder{})] = int64(p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range d.DataPoints {
					sums[m.Name+" "+p.Attributes.Encoded(encoder{})] = int64(p.Count)
				}
			case metricdata.Histogram[int64]:
				for _, p := range d.DataPoints {
					sums[m.Name+" "+p.Attributes.Encoded(encoder{})] = int64(p.Count)
				}
			}
		}
	}
	return sums
}

type cancelled = orderevents.OrderCancelled

var order = orderevents.OrderCancelled{OrderID: 1, CustomerID: "c-7", Reason: orderevents.OrderCancelledReasonFraud}

func (l *lab) publish(ctx context.Context, p *orderevents.Publishers) (bq.PublishResult, error) {
	return p.OrderCancelled.Publish(ctx, order)
}

// run runs a consumer of cancelled orders until the test ends.
func (l *lab) run(
	t *testing.T, client pulsar.Client, q bq.Queue, fn bq.HandlerFunc[cancelled], opts ...bq.ConsumerOption,
) *bq.Consumer {
	t.Helper()
	c, err := bq.NewConsumer(client, q, bq.Routes(orderevents.OnOrderCancelled(fn)),
		append(opts, l.Consumer("orders"), bq.WithLogger(slog.New(slog.DiscardHandler)))...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	<-c.Ready()
	return c
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not happen", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestOneTrace is O42: one trace from publishing through two retries to the handler; the handlings are siblings below
// the publisher's span, what was done is below its handling.
func TestOneTrace(t *testing.T) {
	clients := map[string]func(t *testing.T) pulsar.Client{
		"memory": func(t *testing.T) pulsar.Client { return bqtest.NewBroker(t).Client() },
		"pulsar": func(t *testing.T) pulsar.Client {
			url := os.Getenv("BQ_PULSAR_URL")
			if url == "" {
				t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL")
			}
			client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.DefaultNopLogger()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(client.Close)
			return client
		},
	}
	for name, connect := range clients {
		t.Run(name, func(t *testing.T) {
			l, client := newLab(t), connect(t)
			topics := bq.WithTopics(func(name string) string {
				return "persistent://public/default/otel-" + uuid.NewString()
			})
			var runs atomic.Int64
			traces := make(chan string, 10)
			l.run(t, client, orderevents.OrdersQueue(), func(ctx context.Context, m *bq.Message[cancelled]) error {
				traces <- trace.SpanContextFromContext(ctx).TraceID().String()
				if runs.Add(1) < 3 {
					return errors.New("not yet")
				}
				return nil
			}, topics)
			publishers := orderevents.NewPublishers(client, topics, l.Publisher())
			defer publishers.Close(context.Background())
			ctx, root := l.tracers.Tracer("test").Start(context.Background(), "root")
			result, err := l.publish(ctx, publishers)
			if err != nil {
				t.Fatal(err)
			}
			root.End()
			eventually(t, "the third run", func() bool { return len(l.ended("process ")) == 3 && len(l.ended("settle ")) == 2 })
			want := root.SpanContext().TraceID()
			published := l.ended("publish ")[0]
			if published.Name() != "publish "+orderevents.OrderCancelledURN || published.SpanKind() != trace.SpanKindProducer ||
				published.Parent().SpanID() != root.SpanContext().SpanID() {
				t.Errorf("publish: %s %s below %s", published.Name(), published.SpanKind(), published.Parent().SpanID())
			}
			if got := strings.ReplaceAll(result.TraceID, "-", ""); got != want.String() {
				t.Errorf("the message's trace id is %s, the trace is %s (OTEL-4)", result.TraceID, want)
			}
			for i, s := range l.ended("process ") {
				failed := i < 2
				if s.Parent().SpanID() != published.SpanContext().SpanID() || s.SpanContext().TraceID() != want ||
					s.SpanKind() != trace.SpanKindConsumer || (s.Status().Description == "not yet") != failed ||
					attribute(s, "messaging.babelqueue.attempts") != string(rune('0'+i)) ||
					attribute(s, "messaging.message.id") != result.ID {
					t.Errorf("process %d: %v", i, s)
				}
			}
			for i, s := range l.ended("settle ") {
				if s.Name() != "settle retried" || s.Parent().SpanID() != l.ended("process ")[i].SpanContext().SpanID() {
					t.Errorf("settle %d: %s", i, s.Name())
				}
			}
			for range 3 {
				if got := <-traces; got != want.String() {
					t.Errorf("a handler saw the trace %s", got)
				}
			}
		})
	}
}

// TestOddContexts is O44: invalid contexts are not used and never in the way; the parent is then derived (OTEL-3).
func TestOddContexts(t *testing.T) {
	const derivedTrace, derivedSpan = "17fe6f303311c0b164b937e419518c1f", "cd557d83a76c23e1"
	for parent, want := range map[string]string{
		"": derivedTrace,
		"00-00000000000000000000000000000000-b7ad6b7169203331-01":           derivedTrace,
		"00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01":           derivedTrace,
		"ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01":           derivedTrace,
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331":              derivedTrace,
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n":         derivedTrace,
		strings.Repeat("0", 1<<20):                                          derivedTrace,
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01":           "0af7651916cd43dd8448eb211c80319c",
		"cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-else": "0af7651916cd43dd8448eb211c80319c",
	} {
		l := newLab(t)
		client := bqtest.NewBroker(t).Client()
		handled := make(chan map[string]string, 1)
		l.run(t, client, orderevents.OrdersQueue(), func(_ context.Context, m *bq.Message[cancelled]) error {
			handled <- m.Properties()
			return nil
		})
		publishers := orderevents.NewPublishers(client)
		if _, err := publishers.OrderCancelled.Publish(context.Background(), order, bq.WithTraceID("trace-1"),
			bq.WithProperties(map[string]string{"traceparent": parent, "baggage": "a=b"})); err != nil {
			t.Fatal(err)
		}
		if got := (<-handled)["traceparent"]; got != parent {
			t.Errorf("the property was changed to %.80q", got)
		}
		eventually(t, "the span", func() bool { return len(l.ended("process ")) == 1 })
		s := l.ended("process ")[0]
		if got := s.SpanContext().TraceID().String(); got != want {
			t.Errorf("%.80q: trace %s, want %s", parent, got, want)
		}
		if want == derivedTrace && s.Parent().SpanID().String() != derivedSpan {
			t.Errorf("%.80q: parent %s, want %s", parent, s.Parent().SpanID(), derivedSpan)
		}
		if attribute(s, "messaging.message.conversation_id") != "trace-1" {
			t.Errorf("the contract's trace id is not on the span: %v", s.Attributes())
		}
		publishers.Close(context.Background())
	}
}

// TestNoSDK is the part of O45 without an SDK: the caller's traceparent goes on, nothing is invented.
func TestNoSDK(t *testing.T) {
	telemetry, err := bqotel.New()
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{Telemetry: telemetry}
	client := bqtest.NewBroker(t).Client()
	handled := make(chan map[string]string, 2)
	l.run(t, client, orderevents.OrdersQueue(), func(_ context.Context, m *bq.Message[cancelled]) error {
		handled <- m.Properties()
		return nil
	})
	publishers := orderevents.NewPublishers(client, l.Publisher())
	defer publishers.Close(context.Background())
	unsampled := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, Remote: true})
	for _, ctx := range []context.Context{
		context.Background(), trace.ContextWithSpanContext(context.Background(), unsampled),
	} {
		if _, err := l.publish(ctx, publishers); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok := (<-handled)["traceparent"]; ok {
		t.Errorf("invented %q", got)
	}
	if got := (<-handled)["traceparent"]; got != "00-01000000000000000000000000000000-0200000000000000-00" {
		t.Errorf("passed on %q", got)
	}
}

// TestWhatNeverReachesAHandler is O46 and, for metrics, O47 and O49: each has one span, hostile URNs make no series,
// and the numbers add up.
func TestWhatNeverReachesAHandler(t *testing.T) {
	l := newLab(t)
	broker := bqtest.NewBroker(t)
	client := broker.Client()
	fail := errors.New("no")
	c := l.run(t, client, orderevents.OrdersQueue(), func(_ context.Context, m *bq.Message[cancelled]) error {
		if m.Data.OrderID == 2 {
			return bq.Permanent(fail)
		}
		return nil
	}, bq.WithMaxAttempts(1))
	stop, err := l.Watch("orders", c)
	if err != nil {
		t.Fatal(err)
	}
	first := l.sums(t)
	if name := "bq.dead_letters queue=orders,reason=failed"; first[name] != 0 || !has(first, name) {
		t.Error("the counter of dead letters does not start at 0")
	}
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: "persistent://public/default/orders"})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	send := func(body string, properties map[string]string) {
		if _, err := producer.Send(context.Background(), &pulsar.ProducerMessage{
			Payload: []byte(body), Properties: properties}); err != nil {
			t.Fatal(err)
		}
	}
	send("poison", nil)
	send("x", map[string]string{envelope.PropertySchemaVersion: "2"})
	const strangers = 300
	for range strangers {
		header, err := envelope.NewHeader("urn:"+uuid.NewString(), "", "orders", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		body, err := envelope.Append(nil, header, nil)
		if err != nil {
			t.Fatal(err)
		}
		send(string(body), header.Properties())
	}
	publishers := orderevents.NewPublishers(client)
	defer publishers.Close(context.Background())
	bad := order
	bad.OrderID = 2
	for _, o := range []orderevents.OrderCancelled{order, bad, order} {
		if _, err := publishers.OrderCancelled.Publish(context.Background(), o); err != nil {
			t.Fatal(err)
		}
	}
	total := func() (n int64) {
		for name, value := range l.sums(t) {
			if strings.HasPrefix(name, "bq.deliveries ") {
				n += value
			}
		}
		return n
	}
	eventually(t, "the last settlement", func() bool { return total() == strangers+5 })
	sums := l.sums(t)
	for name, want := range map[string]int64{
		"bq.deliveries outcome=acknowledged,queue=orders,urn=" + orderevents.OrderCancelledURN:  2,
		"bq.deliveries outcome=dead_lettered,queue=orders,urn=" + orderevents.OrderCancelledURN: 1,
		"bq.deliveries outcome=dead_lettered,queue=orders,urn=_unknown":                         strangers + 2,
		"bq.dead_letters queue=orders,reason=unknown_urn":                                       strangers,
		"bq.dead_letters queue=orders,reason=poison":                                            1,
		"bq.dead_letters queue=orders,reason=gated":                                             1,
		"bq.dead_letters queue=orders,reason=failed":                                            1,
		"bq.skipped queue=orders,reason=other_service":                                          0,
		"bq.handler.duration queue=orders,urn=" + orderevents.OrderCancelledURN:                 3,
		"bq.unsettled queue=orders":                                                             0,
		"bq.paused queue=orders":                                                                0,
	} {
		if sums[name] != want {
			t.Errorf("%s is %d, want %d", name, sums[name], want)
		}
	}
	if len(sums) > 40 {
		t.Errorf("%d series: %v", len(sums), sums)
	}
	if has(sums, "bq.oldest_unsettled queue=orders") {
		t.Error("the oldest has a value although nothing waits")
	}
	var reasons []string
	for _, s := range l.ended("settle ") {
		if r := attribute(s, "messaging.babelqueue.reason"); !slices.Contains(reasons, r) {
			reasons = append(reasons, r)
		}
	}
	slices.Sort(reasons)
	if got := strings.Join(reasons, " "); got != "failed gated poison unknown_urn" {
		t.Errorf("spans for %s", got)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if has(l.sums(t), "bq.unsettled queue=orders") {
		t.Error("a consumer that is not watched any more has a gauge")
	}
}

func has(sums map[string]int64, name string) bool {
	_, ok := sums[name]
	return ok
}

// TestTheLoggerOfAHandler is O51 for the handler's logger.
func TestTheLoggerOfAHandler(t *testing.T) {
	var out bytes.Buffer
	l := newLab(t, bqotel.WithLogger(slog.New(slog.NewTextHandler(&out, nil))))
	client := bqtest.NewBroker(t).Client()
	handled := make(chan bool, 1)
	l.run(t, client, orderevents.OrdersQueue(), func(ctx context.Context, m *bq.Message[cancelled]) error {
		bqotel.Logger(ctx).Info("looked")
		handled <- true
		return nil
	})
	publishers := orderevents.NewPublishers(client)
	defer publishers.Close(context.Background())
	result, err := publishers.OrderCancelled.Publish(context.Background(), order, bq.WithTraceID("t\n\x1b[2J"))
	if err != nil {
		t.Fatal(err)
	}
	<-handled
	line := out.String()
	for _, want := range []string{
		"msg=looked queue=orders urn=" + orderevents.OrderCancelledURN, "message_id=" + result.ID, "attempt=1",
		"otel_trace_id=",
	} {
		if !strings.Contains(line, want) {
			t.Errorf("no %q in %s", want, line)
		}
	}
	if strings.Count(line, "\n") != 1 || strings.Contains(line, "\x1b") {
		t.Errorf("not one harmless line: %q", line)
	}
	if bqotel.Logger(context.Background()) != slog.Default() {
		t.Error("outside a handler it is not the default logger")
	}
}

// The pure semantic conventions name the topic, not the queue.
func TestSemanticConventions(t *testing.T) {
	l := newLab(t, bqotel.WithSemanticConventions())
	client := bqtest.NewBroker(t).Client()
	l.run(t, client, orderevents.OrdersQueue(),
		func(context.Context, *bq.Message[cancelled]) error { return nil })
	publishers := orderevents.NewPublishers(client, l.Publisher())
	defer publishers.Close(context.Background())
	if _, err := l.publish(context.Background(), publishers); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the span", func() bool { return len(l.ended("process ")) == 1 })
	s := l.ended("process ")[0]
	if attribute(s, "messaging.system") != "pulsar" ||
		attribute(s, "messaging.destination.name") != "persistent://public/default/orders" {
		t.Errorf("attributes %v", s.Attributes())
	}
}
