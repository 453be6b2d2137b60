package acceptance

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/payload"
)

// patience is how long anything may take before a test gives up on it.
const patience = 60 * time.Second

// heap returns the bytes in use, after a collection.
func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// order is a payload like those of generated code.
type order struct {
	ID   int64
	Note string
}

const orderURN = "urn:babel:orders:created"

func (o *order) encode(e *payload.Encoder) {
	e.BeginObject()
	e.Member("order_id").Int64(o.ID)
	if o.Note != "" {
		e.Member("note").String(o.Note)
	}
	e.EndObject()
}

func (o *order) decode(d *payload.Decoder) {
	d.Require("order_id")
	for name := range d.Object {
		switch string(name) {
		case "order_id":
			d.Int64(&o.ID)
		case "note":
			d.String(&o.Note)
		}
	}
}

// orders defines the order URN on a queue.
func orders(q bq.Queue) bq.Definition[order] {
	return bq.Definition[order]{URN: orderURN, Queue: q,
		Codec: payload.Codec[order]{Encode: (*order).encode, Decode: (*order).decode}}
}

// newQueue returns a queue for this test only, with a dead-letter topic.
func newQueue() bq.Queue {
	topic := "persistent://public/default/orders-" + uuid.NewString()
	return bq.Queue{Name: "orders", Topic: topic, DeadLetterTopic: topic + ".dlq"}
}

// A service is a consumer that runs in the background of a test.
type service struct {
	t        *testing.T
	consumer *bq.Consumer
	settled  chan bq.Settlement
	cancel   context.CancelFunc
	done     chan error
}

// serve runs a consumer of q's orders and returns once it has subscribed. It is stopped when the test ends.
func (b *backend) serve(t *testing.T, q bq.Queue, handle bq.HandlerFunc[order], opts ...bq.ConsumerOption) *service {
	t.Helper()
	return b.serveRoutes(t, q, bq.Routes(bq.Handle(orders(q), handle)), opts...)
}

// serveRoutes is serve for any routes.
func (b *backend) serveRoutes(t *testing.T, q bq.Queue, routes bq.RouteSet, opts ...bq.ConsumerOption) *service {
	t.Helper()
	s := &service{t: t, settled: make(chan bq.Settlement, 20_000), done: make(chan error, 1)}
	opts = append([]bq.ConsumerOption{
		bq.WithLogger(quiet),
		bq.WithObserver(bq.Observer{Settled: func(x bq.Settlement) { s.settled <- x }}),
		bq.WithRetryBackoff(bq.NoBackoff),
	}, opts...)
	c, err := bq.NewConsumer(b.client, q, routes, opts...)
	if err != nil {
		t.Fatal(err)
	}
	s.consumer = c
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() { s.done <- c.Run(ctx) }()
	select {
	case <-c.Ready():
	case err := <-s.done:
		cancel()
		t.Fatalf("Run: %v", err)
	case <-time.After(patience):
		cancel()
		t.Fatal("the consumer does not get ready")
	}
	t.Cleanup(func() { s.cancel() })
	return s
}

// stop ends the service and returns what Run returned.
func (s *service) stop() error {
	s.t.Helper()
	s.cancel()
	return await(s.t, s.done, "Run to return")
}

// next returns the settlement of the next delivery.
func (s *service) next() bq.Settlement {
	s.t.Helper()
	return await(s.t, s.settled, "a settlement")
}

// until returns the settlements up to and including the first that is not a retry or a return.
func (s *service) until() []bq.Settlement {
	s.t.Helper()
	var all []bq.Settlement
	for {
		x := s.next()
		all = append(all, x)
		if x.Action != bq.Retried && x.Action != bq.Returned {
			return all
		}
	}
}

// await receives from ch, or fails the test when its patience runs out.
func await[T any](t *testing.T, ch <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("waited %s for %s", patience, what)
		panic("not reached")
	}
}

// publish publishes an order through the runtime.
func (b *backend) publish(t *testing.T, q bq.Queue, o order, opts ...bq.PublishOption) bq.PublishResult {
	t.Helper()
	producers := bq.NewProducers(b.client, bq.WithLogger(quiet))
	defer producers.Close(context.Background())
	r, err := bq.NewPublisher(producers, orders(q)).Publish(context.Background(), o, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// send publishes a message unchanged, as a foreign producer would.
func (b *backend) send(t *testing.T, topic string, msg *pulsar.ProducerMessage) {
	t.Helper()
	producer, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: topic, DisableBatching: true})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := producer.Send(ctx, msg); err != nil {
		t.Fatal(err)
	}
}

// subscribe returns a plain consumer, to inspect a topic.
func (b *backend) subscribe(t *testing.T, topic, subscription string) pulsar.Consumer {
	t.Helper()
	consumer, err := b.client.Subscribe(pulsar.ConsumerOptions{
		Topic:                       topic,
		SubscriptionName:            subscription,
		Type:                        pulsar.Shared,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(consumer.Close)
	return consumer
}

// receive returns the next message of a plain consumer.
func receive(t *testing.T, consumer pulsar.Consumer) pulsar.Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	msg, err := consumer.Receive(ctx)
	if err != nil {
		t.Fatalf("receive from %s: %v", consumer.Subscription(), err)
	}
	if err := consumer.Ack(msg); err != nil {
		t.Fatal(err)
	}
	return msg
}

// deadLetter returns the next message on the queue's dead-letter topic, read through the subscription that Run created.
func (b *backend) deadLetter(t *testing.T, q bq.Queue) pulsar.Message {
	t.Helper()
	consumer := b.subscribe(t, q.DeadLetterTopic, "babelqueue")
	defer consumer.Close()
	return receive(t, consumer)
}

// failing returns a handler that fails its first n calls, and a counter of its calls.
func failing(n int64) (bq.HandlerFunc[order], *atomic.Int64) {
	calls := new(atomic.Int64)
	return func(context.Context, *bq.Message[order]) error {
		if call := calls.Add(1); call <= n {
			return fmt.Errorf("no stock (call %d)", call)
		}
		return nil
	}, calls
}

// always fails every call.
const always = 1 << 40

// foreign is an envelope that another SDK could have sent, with its own white space and extra members.
const foreign = `{ "job":"urn:babel:orders:created", "trace_id":"trace-1",` + "\r\n" +
	`  "data":{"order_id":9007199254740993,"price":1.0E+2,"html":"<&>","esc":"\u00e9\/","big":1e400},` +
	`"x":{"y":[1, 2]}, "meta":{"id":"m-1","queue":"orders","lang":"php","schema_version":1,"created_at":1749132727000,` +
	`"ext":{"v":1}},"attempts":0 }`

// foreignProperties are the properties of foreign.
func foreignProperties(more map[string]string) map[string]string {
	p := map[string]string{
		"bq-job": orderURN, "bq-trace-id": "trace-1", "bq-message-id": "m-1",
		"bq-schema-version": "1", "bq-source-lang": "php", "bq-attempts": "0",
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tenant": "é☕",
	}
	maps.Copy(p, more)
	return p
}

// backlog counts the messages that were not acknowledged: those that a new consumer of the queue's subscription
// receives before a marker that backlog sends last.
func (b *backend) backlog(t *testing.T, q bq.Queue, subscription pulsar.SubscriptionType) int {
	t.Helper()
	consumer, err := b.client.Subscribe(pulsar.ConsumerOptions{
		Topic: q.Topic, SubscriptionName: "babelqueue", Type: subscription,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer consumer.Close()
	b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte("end")})
	for n := 0; ; n++ {
		if string(receive(t, consumer).Payload()) == "end" {
			return n
		}
	}
}
