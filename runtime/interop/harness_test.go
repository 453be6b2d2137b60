package interop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/payload"
)

// patience is how long anything may take before a test gives up on it.
const patience = 60 * time.Second

// prefix turns the names of queues into topics.
const prefix = "persistent://public/default/"

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// A bench provides what an interoperability test needs: a broker, the Go side and the Python side.
type bench struct {
	*testing.T
	python *peer
	client pulsar.Client
}

// newBench returns the bench for a test. Without a broker or Python it skips the test; in CI it fails it.
func newBench(t *testing.T) *bench {
	t.Helper()
	url := os.Getenv("BQ_PULSAR_URL")
	if url == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no real Pulsar to test on: BQ_PULSAR_URL is not set")
		}
		t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL")
	}
	p := thePeer(t)
	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.NewLoggerWithSlog(quiet)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &bench{t, p, client}
}

// run runs a subtest on this bench.
func (b *bench) run(name string, test func(*bench)) {
	b.Helper()
	b.Run(name, func(t *testing.T) { test(&bench{t, b.python, b.client}) })
}

// newQueue returns a queue for this test only, with a dead-letter topic.
func newQueue() bq.Queue {
	name := "orders-" + uuid.NewString()
	return bq.Queue{Name: name, Topic: prefix + name, DeadLetterTopic: prefix + name + ".dlq"}
}

const orderURN = "urn:babel:orders:created"

// order is a payload like those of generated code.
type order struct {
	ID   int64    `json:"order_id"`
	Note string   `json:"note"`
	Tags []string `json:"tags"`
}

func (o *order) encode(e *payload.Encoder) {
	e.BeginObject()
	e.Member("order_id").Int64(o.ID)
	e.Member("note").String(o.Note)
	payload.EncodeArray(e.Member("tags"), o.Tags, (*payload.Encoder).String)
	e.EndObject()
}

func (o *order) decode(d *payload.Decoder) {
	for name := range d.Object {
		switch string(name) {
		case "order_id":
			d.Int64(&o.ID)
		case "note":
			d.String(&o.Note)
		case "tags":
			payload.DecodeArray(d, &o.Tags, (*payload.Decoder).String)
		}
	}
}

func orders(q bq.Queue) bq.Definition[order] {
	return bq.Definition[order]{URN: orderURN, Queue: q,
		Codec: payload.Codec[order]{Encode: (*order).encode, Decode: (*order).decode}}
}

// goPublishes publishes through the runtime.
func (b *bench) goPublishes(q bq.Queue, o order, opts ...bq.PublishOption) bq.PublishResult {
	b.Helper()
	producers := bq.NewProducers(b.client, bq.WithLogger(quiet))
	defer producers.Close(context.Background())
	r, err := bq.NewPublisher(producers, orders(q)).Publish(b.Context(), o, opts...)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// pythonPublishes publishes through the SDK and returns the message's id.
func (b *bench) pythonPublishes(q bq.Queue, data, traceID string) string {
	b.Helper()
	return ask[struct{ ID string }](b, b.python, "publish", args{
		"prefix": prefix, "queue": q.Name, "urn": orderURN, "data": data, "trace_id": traceID,
	}).ID
}

// A raw message is sent unchanged, bypassing both SDKs.
type raw struct {
	Body       []byte            `json:"body"`
	Properties map[string]string `json:"properties"`
}

// goSends sends messages with the Go client.
func (b *bench) goSends(topic string, messages ...raw) {
	b.Helper()
	producer, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: topic, DisableBatching: true})
	if err != nil {
		b.Fatal(err)
	}
	defer producer.Close()
	for _, m := range messages {
		msg := &pulsar.ProducerMessage{Payload: m.Body, Properties: m.Properties}
		if _, err := producer.Send(b.Context(), msg); err != nil {
			b.Fatal(err)
		}
	}
}

// pythonSends sends messages with the Python client.
func (b *bench) pythonSends(topic string, messages ...raw) {
	b.Helper()
	ask[struct{}](b, b.python, "send", args{"topic": topic, "messages": messages})
}

// A worked delivery is one that Go handled and settled.
type worked struct {
	bq.Settlement
	order   order
	handled bool // the handler was called
}

var errOutOfStock = errors.New("no stock")

// goWorks consumes the queue until that many deliveries are settled. The handler fails its first calls.
func (b *bench) goWorks(q bq.Queue, deliveries, fail int, opts ...bq.ConsumerOption) []worked {
	b.Helper()
	return b.goConsumes(orderURN, q, deliveries, fail, opts)
}

// goIsDeaf is goWorks without a handler for orders.
func (b *bench) goIsDeaf(q bq.Queue, deliveries int, opts ...bq.ConsumerOption) []worked {
	b.Helper()
	return b.goConsumes("urn:babel:orders:deaf", q, deliveries, 0, opts)
}

func (b *bench) goConsumes(urn string, q bq.Queue, deliveries, fail int, opts []bq.ConsumerOption) []worked {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), patience)
	defer cancel()
	var mu sync.Mutex
	var done []worked
	seen, calls := map[string]order{}, 0
	handle := func(_ context.Context, m *bq.Message[order]) error {
		mu.Lock()
		defer mu.Unlock()
		seen[m.MessageID.String()] = m.Data
		if calls++; calls == deliveries {
			cancel() // so that no more is begun
		}
		if fail--; fail >= 0 {
			return errOutOfStock
		}
		return nil
	}
	opts = append([]bq.ConsumerOption{
		bq.WithLogger(quiet), bq.WithRetryBackoff(bq.NoBackoff),
		bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) {
			mu.Lock()
			defer mu.Unlock()
			if s.Action == bq.Released { // received, and not begun any more
				return
			}
			o, handled := seen[s.Delivery.MessageID.String()]
			done = append(done, worked{s, o, handled})
			if len(done) == deliveries {
				cancel()
			}
		}}),
	}, opts...)
	definition := orders(q)
	definition.URN = urn
	c, err := bq.NewConsumer(b.client, q, bq.Routes(bq.Handle(definition, handle)), opts...)
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Run(ctx); err != nil {
		b.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(done) != deliveries {
		b.Fatalf("Go settled %d deliveries within %s, want %d", len(done), patience, deliveries)
	}
	return done
}

// A handled delivery is one that Python's handler saw.
type handled struct {
	Data     json.RawMessage
	Meta     pythonMeta
	Envelope pythonEnvelope
}

type pythonMeta struct {
	ID            string `json:"id"`
	Queue         string `json:"queue"`
	Lang          string `json:"lang"`
	SchemaVersion int    `json:"schema_version"`
	CreatedAt     int64  `json:"created_at"`
}

// pythonEnvelope is an envelope as Python reads it. Members whose type a hostile body can choose are of type any.
type pythonEnvelope struct {
	Job        any         `json:"job"`
	TraceID    any         `json:"trace_id"`
	Attempts   any         `json:"attempts"`
	DeadLetter *deadLetter `json:"dead_letter"`
	Case       string      `json:"case"`
}

// deadLetter is the dead_letter member of a record.
type deadLetter struct {
	Reason        string  `json:"reason"`
	Error         *string `json:"error"`
	Exception     *string `json:"exception"`
	FailedAt      int64   `json:"failed_at"`
	OriginalQueue string  `json:"original_queue"`
	Attempts      int64   `json:"attempts"`
	Lang          string  `json:"lang"`
}

// work configures how Python consumes a queue. The zero value handles orders with at most three deliveries and a
// dead-letter topic.
type work struct {
	deliveries   int // until so many are settled
	fail         int // how many of the handler's calls fail, from the first on
	kind         pulsar.SubscriptionType
	maxAttempts  int
	drop         bool   // no dead letters
	deaf         bool   // no handler
	subscription string // of its own; "" is babelqueue
}

var kindNames = map[pulsar.SubscriptionType]string{
	pulsar.Exclusive: "Exclusive", pulsar.Shared: "Shared", pulsar.Failover: "Failover", pulsar.KeyShared: "Key_Shared",
}

func (w work) arguments(q bq.Queue) args {
	urns := []string{orderURN}
	if w.deaf {
		urns = []string{}
	}
	if w.maxAttempts == 0 {
		w.maxAttempts = 3
	}
	if w.subscription == "" {
		w.subscription = "babelqueue"
	}
	return args{
		"prefix": prefix, "queue": q.Name, "type": kindNames[w.kind], "messages": w.deliveries, "fail": w.fail,
		"max_attempts": w.maxAttempts, "dead_letter": !w.drop, "urns": urns,
		"subscription": w.subscription,
	}
}

// pythonWork is the result of Python's work.
type pythonWork struct {
	Processed int
	Handled   []handled
	Log       []string
}

// pythonWorks makes Python consume the queue.
func (b *bench) pythonWorks(q bq.Queue, w work) pythonWork {
	b.Helper()
	done := ask[pythonWork](b, b.python, "work", w.arguments(q))
	if done.Processed != w.deliveries {
		b.Fatalf("Python settled %d deliveries, want %d", done.Processed, w.deliveries)
	}
	return done
}

// pythonRead is a message as the SDK reads it from a topic.
type pythonRead struct {
	Body       []byte
	Properties map[string]string
	Gated      bool
	Poison     string // why
	Accepts    bool
	URN        string
	Envelope   pythonEnvelope
}

// pythonReads reads the next messages from the topic of that name.
func (b *bench) pythonReads(topic string, messages int) []pythonRead {
	b.Helper()
	name := strings.TrimPrefix(topic, prefix)
	read := ask[struct{ Read []pythonRead }](b, b.python, "read",
		args{"prefix": prefix, "queue": name, "messages": messages}).Read
	if len(read) != messages {
		b.Fatalf("Python read %d messages from %s, want %d", len(read), name, messages)
	}
	return read
}

// goReads subscribes to a topic and returns a function that reads the next messages from it. Messages published after
// the call to goReads are retained for it.
func (b *bench) goReads(topic string) func(messages int) []pulsar.Message {
	b.Helper()
	consumer, err := b.client.Subscribe(pulsar.ConsumerOptions{
		Topic:                       topic,
		SubscriptionName:            "peek",
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(consumer.Close)
	return func(messages int) []pulsar.Message {
		b.Helper()
		ctx, cancel := context.WithTimeout(b.Context(), patience)
		defer cancel()
		read := make([]pulsar.Message, messages)
		for i := range read {
			if read[i], err = consumer.Receive(ctx); err != nil {
				b.Fatalf("message %d of %d from %s: %v", i+1, messages, topic, err)
			}
		}
		return read
	}
}

// properties returns the properties that a message sent by either SDK must have.
func properties(id, traceID, lang string, attempts int, more map[string]string) map[string]string {
	p := map[string]string{
		"bq-job": orderURN, "bq-trace-id": traceID, "bq-message-id": id,
		"bq-schema-version": "1", "bq-source-lang": lang, "bq-attempts": fmt.Sprint(attempts),
	}
	for name, value := range more {
		p[name] = value
	}
	return p
}
