package services

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/runtime/payload"
)

// patience is how long anything may take before a test gives up on it.
const patience = 90 * time.Second

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// The URNs of the scenarios: for billing and audit, for shipping and audit, for all three.
const (
	urnB = "urn:test:b"
	urnS = "urn:test:s"
	urnA = "urn:test:a"
)

// A note is the payload of all of them.
type note struct{ ID int64 }

func (n *note) encode(e *payload.Encoder) {
	e.BeginObject()
	e.Member("id").Int64(n.ID)
	e.EndObject()
}

func (n *note) decode(d *payload.Decoder) {
	d.Require("id")
	for name := range d.Object {
		if string(name) == "id" {
			d.Int64(&n.ID)
		}
	}
}

func definition(urn string, q bq.Queue) bq.Definition[note] {
	return bq.Definition[note]{URN: urn, Queue: q, Key: func(n *note) string { return strconv.FormatInt(n.ID%4, 10) },
		Codec: payload.Codec[note]{Encode: (*note).encode, Decode: (*note).decode}}
}

// A place is a Pulsar with a queue of three services for one test.
type place struct {
	t      *testing.T
	client pulsar.Client
	memory *bqtest.Broker // nil on a real Pulsar
	admin  string         // the address of the real one's admin API
	queue  bq.Queue
}

// newQueue returns a queue with the services of the scenarios.
func newQueue(topic string) bq.Queue {
	q := bq.Queue{Name: "orders", Topic: topic, MaxAttempts: 3, URNs: []string{urnB, urnS, urnA}}
	for name, urns := range map[string][]string{
		"billing": {urnB, urnA}, "shipping": {urnS, urnA}, "audit": {urnB, urnS, urnA},
	} {
		q.Services = append(q.Services, bq.QueueService{
			Name: name, RetryTopic: topic + "." + name + ".retry", DeadLetterTopic: topic + "." + name + ".dlq", URNs: urns,
		})
	}
	slices.SortFunc(q.Services, func(a, b bq.QueueService) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	return q
}

var order = []string{"billing", "shipping", "audit"}

// inMemory returns a place on the in-memory Pulsar, which keeps all messages.
func inMemory(t *testing.T) *place {
	broker := bqtest.NewBroker(t, bqtest.WithRetention())
	return &place{t: t, client: broker.Client(), memory: broker, queue: newQueue(newTopic())}
}

// onPulsar returns a place on the real Pulsar. The test is skipped if there is none.
func onPulsar(t *testing.T) *place {
	t.Helper()
	url, admin := os.Getenv("BQ_PULSAR_URL"), os.Getenv("BQ_PULSAR_ADMIN_URL")
	if url == "" || admin == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no real Pulsar to test on: BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL are not set")
		}
		t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL")
	}
	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: url, Logger: log.NewLoggerWithSlog(quiet)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &place{t: t, client: client, admin: admin, queue: newQueue(newTopic())}
}

func newTopic() string { return "persistent://public/default/orders-" + uuid.NewString() }

// onBoth runs a test on the in-memory Pulsar and on the real one, and beside other tests: most of them wait.
func onBoth(t *testing.T, test func(*testing.T, *place)) {
	t.Helper()
	t.Parallel()
	t.Run("memory", func(t *testing.T) { t.Parallel(); test(t, inMemory(t)) })
	t.Run("pulsar", func(t *testing.T) { t.Parallel(); test(t, onPulsar(t)) })
}

func (p *place) service(name string) bq.QueueService {
	for _, s := range p.queue.Services {
		if s.Name == name {
			return s
		}
	}
	p.t.Fatalf("there is no service %s", name)
	return bq.QueueService{}
}

// declare creates the subscriptions of all services.
func (p *place) declare() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := bq.Declare(ctx, p.client, []bq.Queue{p.queue}); err != nil {
		p.t.Fatal(err)
	}
}

// publish publishes notes with these ids.
func (p *place) publish(urn string, from, to int64, opts ...bq.PublisherOption) {
	p.t.Helper()
	producers := bq.NewProducers(p.client, append([]bq.PublisherOption{bq.WithLogger(quiet)}, opts...)...)
	publisher := bq.NewPublisher(producers, definition(urn, p.queue))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for id := from; id < to; id++ {
		// While a broker takes a topic away, it may cut the connection of others.
		p.until("a message to be published", func() bool {
			_, err := publisher.Publish(ctx, note{id})
			if err != nil && !strings.Contains(err.Error(), "connection closed") {
				p.t.Fatal(err)
			}
			return err == nil
		})
	}
	if err := producers.Close(ctx); err != nil {
		p.t.Error(err)
	}
}

// body is an envelope as another SDK could have sent it.
func body(urn string, id int64, attempts string) string {
	return fmt.Sprintf(`{"job":%q,"trace_id":"t","data":{"id":%d},"meta":{"id":"m-%d","queue":"orders","lang":"php",`+
		`"schema_version":1,"created_at":1749132727000},"attempts":%s}`, urn, id, id, attempts)
}

// properties are those that belong to body. An empty value leaves one out.
func properties(urn string, more map[string]string) map[string]string {
	all := map[string]string{"bq-job": urn, "bq-trace-id": "t", "bq-schema-version": "1", "bq-source-lang": "php",
		"bq-attempts": "0"}
	maps.Copy(all, more)
	for name, value := range all {
		if value == "" {
			delete(all, name)
		}
	}
	return all
}

// send publishes a message unchanged, as a foreign producer would.
func (p *place) send(topic string, messages ...*pulsar.ProducerMessage) {
	p.t.Helper()
	producer, err := p.client.CreateProducer(pulsar.ProducerOptions{Topic: topic, DisableBatching: true})
	if err != nil {
		p.t.Fatal(err)
	}
	defer producer.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, m := range messages {
		if _, err := producer.Send(ctx, m); err != nil {
			p.t.Fatal(err)
		}
	}
}

// A handler handles notes of any URN.
type handler func(ctx context.Context, m *bq.Message[note]) error

func fine(context.Context, *bq.Message[note]) error { return nil }

// A replica is a running consumer of a service, and what it has done.
type replica struct {
	p        *place
	name     string
	consumer *bq.Consumer
	cancel   context.CancelFunc
	ended    chan struct{}
	err      error // of Run, once ended is closed

	mu       sync.Mutex
	runs     map[int64][]int64 // the attempts that each run of a note saw
	total    int
	settled  []bq.Settlement
	failures int
	changed  chan struct{}
}

// routes returns routes of these URNs.
func (p *place) routes(urns []string, h bq.HandlerFunc[note]) bq.RouteSet {
	var routes []bq.Route
	for _, urn := range urns {
		routes = append(routes, bq.Handle(definition(urn, p.queue), h))
	}
	return bq.Routes(routes...)
}

// start runs a replica of a service and returns when it has subscribed. It is stopped when the test ends.
func (p *place) start(name string, h handler, opts ...bq.ConsumerOption) *replica {
	p.t.Helper()
	return p.awaitReady(p.launch(name, h, opts...))
}

// startConsumer is start for a consumer of these URNs on a queue without services.
func (p *place) startConsumer(name string, urns []string, h handler, opts ...bq.ConsumerOption) *replica {
	p.t.Helper()
	return p.awaitReady(p.launchConsumer(name, urns, h, opts...))
}

func (p *place) awaitReady(r *replica) *replica {
	p.t.Helper()
	select {
	case <-r.consumer.Ready():
	case <-r.ended:
		p.t.Fatalf("%s: %v", r.name, r.err)
	case <-time.After(patience):
		p.t.Fatalf("%s does not get ready", r.name)
	}
	return r
}

// launch is start that does not wait.
func (p *place) launch(name string, h handler, opts ...bq.ConsumerOption) *replica {
	p.t.Helper()
	opts = append([]bq.ConsumerOption{bq.WithService(name), bq.WithLogger(quiet)}, opts...)
	return p.launchConsumer(name, p.service(name).URNs, h, opts...)
}

// launchConsumer is startConsumer that does not wait.
func (p *place) launchConsumer(name string, urns []string, h handler, opts ...bq.ConsumerOption) *replica {
	p.t.Helper()
	r := &replica{p: p, name: name, runs: map[int64][]int64{}, changed: make(chan struct{}, 1), ended: make(chan struct{})}
	opts = append([]bq.ConsumerOption{
		bq.WithObserver(bq.Observer{
			Settled: r.note,
			Failed:  func(context.Context, bq.Failure) { r.mu.Lock(); r.failures++; r.mu.Unlock() },
		}),
		bq.WithRetryBackoff(bq.NoBackoff),
	}, opts...)
	c, err := bq.NewConsumer(p.client, p.queue, p.routes(urns, func(ctx context.Context, m *bq.Message[note]) error {
		r.mu.Lock()
		r.runs[m.Data.ID] = append(r.runs[m.Data.ID], m.Attempts)
		r.total++
		r.mu.Unlock()
		return h(ctx, m)
	}), opts...)
	if err != nil {
		p.t.Fatal(err)
	}
	r.consumer = c
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	go func() {
		r.err = c.Run(ctx)
		close(r.ended)
	}()
	p.t.Cleanup(func() { r.stop() })
	return r
}

func (r *replica) note(s bq.Settlement) {
	r.mu.Lock()
	r.settled = append(r.settled, s)
	r.mu.Unlock()
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

// stop ends the replica.
func (r *replica) stop() {
	r.cancel()
	select {
	case <-r.ended:
	case <-time.After(patience):
		r.p.t.Errorf("%s does not stop", r.name)
	}
}

// seen returns the attempts that the runs of each note saw.
func (r *replica) seen() map[int64][]int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.runs)
}

// runsBegun returns how many runs have begun.
func (r *replica) runsBegun() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.total
}

// A count is how often a replica did what.
type count struct {
	Runs, Skips, Acknowledged, Retried, DeadLettered, Dropped int
}

func (r *replica) count() (c count) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Runs = r.total
	for _, s := range r.settled {
		switch s.Action {
		case bq.Skipped:
			c.Skips++
		case bq.Acknowledged:
			c.Acknowledged++
		case bq.Retried:
			c.Retried++
		case bq.DeadLettered:
			c.DeadLettered++
		case bq.Dropped:
			c.Dropped++
		}
	}
	return c
}

// skips returns how many messages were skipped, by reason.
func (r *replica) skips() map[envelope.Reason]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	by := map[envelope.Reason]int{}
	for _, s := range r.settled {
		if s.Action == bq.Skipped {
			by[s.Reason]++
		}
	}
	return by
}

// sum adds up what replicas did.
func sum(replicas ...*replica) (c count) {
	for _, r := range replicas {
		x := r.count()
		c.Runs += x.Runs
		c.Skips += x.Skips
		c.Acknowledged += x.Acknowledged
		c.Retried += x.Retried
		c.DeadLettered += x.DeadLettered
		c.Dropped += x.Dropped
	}
	return c
}

// until waits until a condition holds, which may be about anything that changes. It fails the test otherwise.
func (p *place) until(what string, ok func() bool) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for tick := time.NewTicker(5 * time.Millisecond); ; <-tick.C {
		if ok() {
			tick.Stop()
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("waited %s for %s", patience, what)
		}
	}
}

// expect waits until replicas together have ended so many deliveries, and compares.
func (p *place) expect(what string, want count, replicas ...*replica) {
	p.t.Helper()
	ends := func(c count) int { return c.Skips + c.Acknowledged + c.Retried + c.DeadLettered + c.Dropped }
	p.until(fmt.Sprintf("%s: %+v", what, want), func() bool { return ends(sum(replicas...)) >= ends(want) })
	if got := sum(replicas...); got != want {
		p.t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}

// pauseOf returns a short delay of a retry.
func pauseOf(p *place) time.Duration {
	if p.memory != nil {
		return 50 * time.Millisecond
	}
	return 2 * time.Second
}

func lastSegment(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
